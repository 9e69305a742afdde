import type { Command } from 'commander'
import { readDatabaseUrl } from '../config.ts'
import { DatabaseError } from '../db/errors.ts'
import { databaseFile, kindOf } from '../db/location.ts'
import { MigrationError } from '../db/migration-error.ts'
import type { Moved, TransferOptions } from '../maintenance/transfer/to-postgresql.ts'
import { UserError } from '../user-error.ts'
import { migrationsFolder, readConfig } from './database.ts'
import { CommandError, say, type Terminal, writeTable } from './terminal.ts'

interface Options {
  from?: string
  to?: string
  json: boolean
}

/** Both addresses. `DATABASE_URL` is the default of each. */
function readEndpoints({ from, to }: Options, configured: string) {
  if (from === undefined && to === undefined)
    throw new CommandError('transfer takes --from, --to or both; DATABASE_URL is the default of the other', 2)
  const source = from === undefined ? configured : readDatabaseUrl('--from', from)
  const target = to === undefined ? configured : readDatabaseUrl('--to', to)
  if (kindOf(source) !== 'sqlite' || kindOf(target) !== 'postgresql')
    throw new CommandError(
      'transfer moves from a file to PostgreSQL; every other way is backup and restore, pg_dump and pg_restore, or export and import',
      2,
    )
  return { source, target }
}

/** Database errors name `DATABASE_URL`; here the address came from an option. */
function explain(error: unknown): unknown {
  const known = error instanceof UserError || (error instanceof DatabaseError && error.kind !== 'other')
  if (!known) return error
  const isOfFile =
    (error instanceof DatabaseError && error.kind === 'not_a_database') ||
    (error instanceof MigrationError && (error.problem === 'unreadable' || error.problem === 'foreign'))
  return new CommandError(error.message.replaceAll('DATABASE_URL', isOfFile ? '--from' : '--to'))
}

async function move(options: TransferOptions): Promise<readonly Moved[]> {
  try {
    return await (await import('../maintenance/transfer/to-postgresql.ts')).transferToPostgres(options)
  } catch (error) {
    throw explain(error)
  }
}

async function transfer(terminal: Terminal, options: Options) {
  const { databaseUrl, directUrl, secret } = readConfig(terminal)
  const { source, target } = readEndpoints(options, directUrl ?? databaseUrl)
  const file = databaseFile(source, terminal.cwd)
  const moved = await move({
    databaseFile: file,
    databaseUrl: target,
    secret,
    migrations: migrationsFolder(terminal),
    clock: terminal.clock,
  })
  await writeTable(terminal, moved, { json: options.json, columns: ['table', 'rows', 'sha256'] })
  say(terminal, 'every row was copied to the PostgreSQL database and verified: set DATABASE_URL to it')
  say(
    terminal,
    secret === undefined
      ? `set SALEPROOF_SECRET to the content of ${file}.secret`
      : 'keep SALEPROOF_SECRET unchanged',
  )
}

export function addTransfer(program: Command, terminal: Terminal) {
  program
    .command('transfer')
    .description('move a deployment from a file to PostgreSQL, while nothing serves')
    .option('--from <address>', 'the source, file:…; default: DATABASE_URL')
    .option('--to <address>', 'the target, an empty database postgresql://…; default: DATABASE_URL')
    .option('--json', 'print the moved tables as JSON', false)
    .action((options: Options) => transfer(terminal, options))
}
