import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ConfigError, variableNames } from '../config.ts'
import { DatabaseError, fromSystem } from '../db/errors.ts'
import { errorName, stackFrames } from '../db/stack-frames.ts'
import { DomainError } from '../domain/domain-error.ts'
import { version } from '../package.ts'
import { UserError } from '../user-error.ts'
import { addAccount } from './account.ts'
import { addAudit } from './audit.ts'
import { addBackup } from './backup.ts'
import { addCustomer } from './customer.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { describeDomainError } from './domain-errors.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addItem } from './item.ts'
import { addKey } from './key.ts'
import { addMigrate } from './migrate.ts'
import { addPurchase } from './purchase.ts'
import { addRestore } from './restore.ts'
import { addSecret } from './secret.ts'
import { addServe } from './serve.ts'
import { addSigningKey } from './signing-key.ts'
import { CommandError, say, type Terminal } from './terminal.ts'
import { addTransfer } from './transfer.ts'
import { addWorkspace } from './workspace.ts'

/** Names what is written like the name of an option, not like a code. */
function unknownOption(flag: string) {
  const [name] = /^--[A-Za-z][a-z]*(?:-[a-z]+)*(?==|$)/.exec(flag) ?? []
  return name === undefined
    ? 'unknown option, or an argument that begins with a hyphen: write -- before it'
    : `unknown option '${name}'`
}

/** Arguments are not repeated: one may be a key or a code in the wrong place. */
const withoutValue = (message: string) =>
  message
    .replace(/unknown option '(.*)'/s, (_, flag: string) => unknownOption(flag))
    .replace(/(command-argument value) '.*' (is invalid for argument)/s, '$1 $2')
    .replace(/argument '.*' is invalid\./s, 'argument is invalid.')
    .replace(/(Expected \d+ arguments? but got \d+): .*\./s, '$1.')

const commands = [
  addServe,
  addMigrate,
  addImport,
  addExport,
  addAccount,
  addWorkspace,
  addKey,
  addSigningKey,
  addItem,
  addPurchase,
  addCustomer,
  addDemo,
  addBackup,
  addRestore,
  addTransfer,
  addDoctor,
  addAudit,
  addSecret,
]

const documentPath = ({ packageRoot }: Terminal, name: string) => join(packageRoot, 'docs', name)

const wrapped = (words: readonly string[]) => words.join(', ').replace(/(.{1,96})(?:, |$)/g, '  $1\n')

const rootHelp = (terminal: Terminal) => `
Examples:
  saleproof serve
  saleproof account create --username ada --email ada@example.com
  saleproof workspace create --owner ada --slug ada-studio --name "Ada Studio"
  saleproof key create --workspace ada-studio --name production
  saleproof doctor

Variables, explained in ${documentPath(terminal, 'configuration.md')}:
${wrapped(variableNames())}
Documentation:
  ${documentPath(terminal, 'commands.md')}
  ${documentPath(terminal, 'deployment.md')}
  /docs of the running service`

function createProgram(terminal: Terminal): Command {
  const program = new Command('saleproof')
    .description('A self-hosted marketplace API for sellers of digital goods')
    .version(version)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(withoutValue(text)),
    })
    .exitOverride()
    .addHelpText('after', rootHelp(terminal))
    .addHelpText('afterAll', ({ command }) =>
      command.parent ? `\nDocumentation: ${documentPath(terminal, 'commands.md')}` : '',
    )
  for (const add of commands) add(program, terminal)
  return program
}

function exitCode(error: unknown, terminal: Terminal): number {
  // Commander has printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ConfigError) {
    for (const problem of error.problems) say(terminal, problem)
    return 2
  }
  if (error instanceof CommandError) {
    if (error.message) say(terminal, error.message)
    return error.exitCode
  }
  const known = fromSystem(error)
  if (known instanceof UserError) {
    say(terminal, known instanceof DomainError ? describeDomainError(known) : known.message)
    return 1
  }
  const expected = known instanceof DatabaseError && known.kind !== 'other'
  say(terminal, expected ? known.message : describeUnexpected(error))
  return 1
}

/** Only name, code and location: a driver's message may repeat the data to store. */
const describeUnexpected = (error: unknown) =>
  `saleproof failed unexpectedly: ${[errorName(error), stackFrames(error)[0]?.trim()].filter(Boolean).join(' ')}`

/** The last message of a process that an uncaught error ends. */
export const describeCrash = (error: unknown) =>
  `saleproof failed unexpectedly: ${errorName(error)}\n${stackFrames(error)
    .map((line) => `${line}\n`)
    .join('')}`

/** Runs one command and returns its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return exitCode(error, terminal)
  }
}
