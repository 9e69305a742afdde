import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { SecretError } from '../crypto/secret.ts'
import { MigrationError } from '../database/migration-error.ts'
import { databaseTrouble } from '../database/trouble.ts'
import { Refusal } from '../domain/refusal.ts'
import { version } from '../version.ts'
import { addAccount } from './account.ts'
import { addAudit } from './audit.ts'
import { addBackup } from './backup.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addItem } from './item.ts'
import { addKey } from './key.ts'
import { addMigrate } from './migrate.ts'
import { addRestore } from './restore.ts'
import { addSecret } from './secret.ts'
import { addServe } from './serve.ts'
import { CommandError, say, type Terminal } from './terminal.ts'
import { addWorkspace } from './workspace.ts'

function createProgram(terminal: Terminal): Command {
  const program = new Command('saleproof')
    .description('A self-hosted marketplace API for sellers of digital goods')
    .version(version)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
    })
    .exitOverride()
  const commands = [
    ...[addServe, addMigrate, addImport, addExport],
    ...[addAccount, addWorkspace, addKey, addItem, addDemo],
    ...[addBackup, addRestore, addDoctor, addAudit, addSecret],
  ]
  for (const add of commands) add(program, terminal)
  return program
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  // Commander has printed its own message; help and version leave with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ConfigError) {
    for (const problem of error.problems) say(terminal, problem)
    return 2
  }
  if (error instanceof CommandError) {
    if (error.message) say(terminal, error.message)
    return error.exitCode
  }
  const expected = error instanceof Refusal || error instanceof MigrationError || error instanceof SecretError
  say(terminal, expected ? error.message : (databaseTrouble(error) ?? describeUnexpected(error)))
  return 1
}

/** Only the name, the code and the place: the message of a driver's error may hold what was to be stored. */
function describeUnexpected(error: unknown): string {
  const {
    name = 'error',
    code,
    stack = '',
  } = (error ?? {}) as { name?: string; code?: string; stack?: string }
  const place =
    stack
      .split('\n')
      .find((line) => /^\s+at /.test(line))
      ?.trim() ?? ''
  return `saleproof failed unexpectedly: ${[name, code, place].filter(Boolean).join(' ')}`
}

/** Runs one command and gives its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return exitCodeOf(error, terminal)
  }
}
