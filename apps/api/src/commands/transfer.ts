import type { Command } from 'commander'
import { readDatabaseUrl } from '../config.ts'
import { SecretError } from '../crypto/secret.ts'
import { DatabaseError } from '../db/errors.ts'
import { databaseFile, kindOf } from '../db/location.ts'
import { MigrationError } from '../db/migration-error.ts'
import type { Transferred } from '../maintenance/transfer/move.ts'
import type { TransferOptions } from '../maintenance/transfer/to-postgresql.ts'
import { UserError } from '../user-error.ts'
import { configOf, migrationsFolder } from './database.ts'
import { CommandError, say, type Terminal, writeTable } from './terminal.ts'

interface Options {
  from?: string
  to?: string
  json: boolean
}

type Direction = 'to PostgreSQL' | 'to a file'

/** The direction and both addresses. `DATABASE_URL` is the default of each. */
function endpointsOf({ from, to }: Options, configured: string) {
  if (from === undefined && to === undefined)
    throw new CommandError('transfer takes --from, --to or both; DATABASE_URL is the default of the other', 2)
  const source = from === undefined ? configured : readDatabaseUrl('--from', from)
  const target = to === undefined ? configured : readDatabaseUrl('--to', to)
  const kinds = [source, target].map(kindOf)
  if (kinds[0] === kinds[1])
    throw new CommandError(
      kinds[0] === 'sqlite'
        ? 'both are files: one must be a postgresql:// address; backup and restore copy a file'
        : 'both are PostgreSQL: one must be a file: path; pg_dump and pg_restore copy a database',
      2,
    )
  return kinds[0] === 'sqlite'
    ? { direction: 'to PostgreSQL' as const, file: source, url: target }
    : { direction: 'to a file' as const, file: target, url: source }
}

const optionNames = { 'to PostgreSQL': ['--to', '--from'], 'to a file': ['--from', '--to'] } as const

/** Database errors name `DATABASE_URL`; here the address came from an option. */
function explain(error: unknown, direction: Direction): unknown {
  const known =
    error instanceof UserError ||
    error instanceof MigrationError ||
    error instanceof SecretError ||
    (error instanceof DatabaseError && error.kind !== 'other')
  if (!known) return error
  const [postgres, file] = optionNames[direction]
  const isOfFile =
    (error instanceof DatabaseError && error.kind === 'not_a_database') ||
    (error instanceof MigrationError && (error.problem === 'unreadable' || error.problem === 'foreign'))
  return new CommandError(error.message.replaceAll('DATABASE_URL', isOfFile ? file : postgres))
}

async function move(direction: Direction, transfer: TransferOptions): Promise<Transferred> {
  try {
    if (direction === 'to PostgreSQL')
      return await (await import('../maintenance/transfer/to-postgresql.ts')).transferToPostgres(transfer)
    return await (await import('../maintenance/transfer/to-file.ts')).transferToFile(transfer)
  } catch (error) {
    throw explain(error, direction)
  }
}

function sayNextSteps(terminal: Terminal, direction: Direction, { databaseFile, secret }: TransferOptions) {
  const where = direction === 'to PostgreSQL' ? 'the PostgreSQL database' : databaseFile
  say(
    terminal,
    `every row was copied to ${where} and verified: set DATABASE_URL to it, and no longer serve the other one`,
  )
  say(
    terminal,
    secret === undefined
      ? `set SALEPROOF_SECRET to the content of ${databaseFile}.secret`
      : 'keep SALEPROOF_SECRET unchanged',
  )
}

async function transfer(terminal: Terminal, options: Options) {
  const { databaseUrl, directUrl, secret } = configOf(terminal)
  const { direction, file, url } = endpointsOf(options, directUrl ?? databaseUrl)
  const transferOptions = {
    databaseFile: databaseFile(file, terminal.cwd),
    databaseUrl: url,
    secret,
    migrations: migrationsFolder(terminal),
    clock: terminal.clock,
  }
  const { moved, auditProblem } = await move(direction, transferOptions)
  await writeTable(terminal, moved, { json: options.json, columns: ['table', 'rows', 'sha256'] })
  if (auditProblem)
    say(terminal, `warning: the audit log was broken before the transfer, and still is: ${auditProblem}`)
  sayNextSteps(terminal, direction, transferOptions)
}

export function addTransfer(program: Command, terminal: Terminal) {
  program
    .command('transfer')
    .description('move a deployment from a file to PostgreSQL or back, while nothing serves')
    .option('--from <address>', 'the source, file:… or postgresql://…; default: DATABASE_URL')
    .option('--to <address>', 'the target, a new file or an empty database; default: DATABASE_URL')
    .option('--json', 'print the moved tables as JSON', false)
    .action((options: Options) => transfer(terminal, options))
}
