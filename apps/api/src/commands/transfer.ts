import type { Command } from 'commander'
import { readDatabaseUrl } from '../config.ts'
import { SecretError } from '../crypto/secret.ts'
import { describeDatabaseError, sqliteCode } from '../db/errors.ts'
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

/** Which way, and between what; `DATABASE_URL` is what is not named. */
function endsOf({ from, to }: Options, configured: string) {
  if (from === undefined && to === undefined)
    throw new CommandError('transfer takes --from, --to or both; DATABASE_URL is what is not named', 2)
  const source = from === undefined ? configured : readDatabaseUrl('--from', from)
  const target = to === undefined ? configured : readDatabaseUrl('--to', to)
  const kinds = [source, target].map(kindOf)
  if (kinds[0] === kinds[1])
    throw new CommandError(
      kinds[0] === 'sqlite'
        ? 'both are files: one of them has to be a postgresql:// address; backup and restore copy a file'
        : 'both are PostgreSQL: one of them has to be a file: path; pg_dump and pg_restore copy a database',
      2,
    )
  return kinds[0] === 'sqlite'
    ? { direction: 'to PostgreSQL' as const, file: source, url: target }
    : { direction: 'to a file' as const, file: target, url: source }
}

const names = { 'to PostgreSQL': ['--to', '--from'], 'to a file': ['--from', '--to'] } as const

/** What the messages of the database call `DATABASE_URL` was named in another way here. */
function explain(error: unknown, direction: Direction): unknown {
  const known = error instanceof UserError || error instanceof MigrationError || error instanceof SecretError
  const message = known ? error.message : describeDatabaseError(error)
  if (message === undefined) return error
  const [postgres, file] = names[direction]
  const isOfFile = sqliteCode(error).startsWith('SQLITE_') || /DATABASE_URL to an?(other)? file/.test(message)
  return new CommandError(message.replaceAll('DATABASE_URL', isOfFile ? file : postgres))
}

async function move(direction: Direction, options: TransferOptions): Promise<Transferred> {
  try {
    if (direction === 'to PostgreSQL')
      return await (await import('../maintenance/transfer/to-postgresql.ts')).transferToPostgres(options)
    return await (await import('../maintenance/transfer/to-file.ts')).transferToFile(options)
  } catch (error) {
    throw explain(error, direction)
  }
}

function sayWhatNext(terminal: Terminal, direction: Direction, { databaseFile, secret }: TransferOptions) {
  const where = direction === 'to PostgreSQL' ? 'the PostgreSQL database' : databaseFile
  say(
    terminal,
    `every row is in ${where}, and the same: set DATABASE_URL to it, and serve the other one no more`,
  )
  say(
    terminal,
    secret === undefined
      ? `set SALEPROOF_SECRET to what ${databaseFile}.secret holds`
      : 'keep SALEPROOF_SECRET as it is',
  )
}

async function transfer(terminal: Terminal, given: Options) {
  const { databaseUrl, directUrl, secret } = configOf(terminal)
  const { direction, file, url } = endsOf(given, directUrl ?? databaseUrl)
  const options = {
    ...{ databaseFile: databaseFile(file, terminal.cwd), databaseUrl: url, secret },
    ...{ migrations: migrationsFolder(terminal), clock: terminal.clock },
  }
  const { moved, auditProblem } = await move(direction, options)
  await writeTable(
    terminal,
    moved.map((row) => ({ ...row })),
    { json: given.json, columns: ['table', 'rows', 'sha256'] },
  )
  if (auditProblem)
    say(terminal, `warning: the audit log was not sound before, and is not now: ${auditProblem}`)
  sayWhatNext(terminal, direction, options)
}

export function addTransfer(program: Command, terminal: Terminal) {
  program
    .command('transfer')
    .description('move a whole deployment from a file to PostgreSQL or back, while nothing serves')
    .option('--from <address>', 'where it is, file:… or postgresql://…; DATABASE_URL without')
    .option(
      '--to <address>',
      'where it goes: a file that is not there, an empty database; DATABASE_URL without',
    )
    .option('--json', 'what was moved as JSON', false)
    .action((options: Options) => transfer(terminal, options))
}
