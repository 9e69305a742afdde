import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../user-error.ts'
import type { Sql } from './sql.ts'

interface Details {
  /** The state of the migrations, for `/readyz`. */
  state?: 'newer' | 'edited' | 'unfinished'
  cause?: unknown
}

/** The database cannot be brought to this build's schema. */
export class MigrationError extends UserError {
  readonly finding: string
  readonly advice: string | undefined
  readonly state: Details['state']

  constructor(finding: string, advice?: string, { state, cause }: Details = {}) {
    super(advice === undefined ? finding : `${finding}: ${advice}`)
    this.cause = cause
    this.name = 'MigrationError'
    this.finding = finding
    this.advice = advice
    this.state = state
  }
}

/** Refuses a database that lacks migrations. */
export function requireNoneOf(
  pending: readonly string[],
  { subject = 'the database', advice = 'run "saleproof migrate"' } = {},
) {
  if (pending.length) throw new MigrationError(`${subject} lacks ${pending.length} migrations`, advice)
}

export interface Migration {
  name: string
  sql: string
  checksum: string
}

export interface HistoryRow {
  migration_name: string
  checksum: string
  finished_at: unknown
  rolled_back_at: unknown
}

/** Prisma's own table, with the types of a database, so that its tools read what is written here. */
export const historyTable = (time: 'DATETIME' | 'TIMESTAMPTZ', count: 'INTEGER UNSIGNED' | 'INTEGER') =>
  `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           ${time},
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        ${time},
    "started_at"            ${time} NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   ${count} NOT NULL DEFAULT 0
)`

/** Notes a migration as applied. The time is written as its database writes one. */
export const note = ({ name, checksum }: Migration, time: string | number) =>
  `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
   VALUES ('${randomUUID()}', '${checksum}', ${time}, '${name}', ${time}, 1)`

/** The migrations in a folder of Prisma's layout, in order. */
export function readMigrations(folder: string): Migration[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** What is a database's own in reading its history. */
export interface HistoryDialect {
  kind: 'file' | 'database'
  /** Gives the `name` of each table. */
  listTables: string
  /** Whether a migration that this build does not know may be there. */
  isHarmless?: (row: HistoryRow, known: readonly Migration[]) => boolean
}

/** The names of our migrations that a database has, after a check that nothing of it is another's. */
export async function appliedMigrations(
  { query }: Sql,
  known: readonly Migration[],
  { kind, listTables, isHarmless = () => false }: HistoryDialect,
): Promise<string[]> {
  const tables = await query<{ name: string }>(listTables)
  if (tables.length === 0) return []
  if (!tables.some(({ name }) => name === '_prisma_migrations'))
    throw new MigrationError(
      'the database holds tables that are not Saleproof’s',
      `set DATABASE_URL to a ${kind} of its own`,
    )
  const rows = await query<HistoryRow>(
    'SELECT migration_name, checksum, finished_at, rolled_back_at FROM "_prisma_migrations"',
  )
  const live = rows
    .filter((row) => row.rolled_back_at === null && !isHarmless(row, known))
    .sort((one, other) => (one.migration_name < other.migration_name ? -1 : 1))
  for (const row of live) requireOurs(row, known)
  return live.map((row) => row.migration_name)
}

function requireOurs(row: HistoryRow, known: readonly Migration[]) {
  const { migration_name: name } = row
  const migration = known.find((candidate) => candidate.name === name)
  if (!migration && name < (known[0]?.name ?? ''))
    throw new MigrationError(
      `the database is of an earlier build (it has migration ${name})`,
      'run "saleproof export" with that build, and import the result into a new database',
    )
  if (!migration)
    throw new MigrationError(
      `the database is newer than this build (it has migration ${name})`,
      'install the newer version again',
      { state: 'newer' },
    )
  if (row.finished_at === null)
    throw new MigrationError(
      `migration ${name} was left unfinished`,
      'restore the backup that was made before it',
      { state: 'unfinished' },
    )
  if (row.checksum !== migration.checksum)
    throw new MigrationError(
      `migration ${name} is not the one that was applied`,
      'install an unchanged build',
      { state: 'edited' },
    )
}
