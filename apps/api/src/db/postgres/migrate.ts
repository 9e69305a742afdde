import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseError, isBusy } from '../errors.ts'
import {
  type HistoryDialect,
  type HistoryRow,
  historyTable,
  type Migration,
  note,
  readMigrations,
} from '../migration-history.ts'
import { createMigrator } from '../migrator.ts'
import { type Sql, transactOn } from '../sql.ts'
import type { Address } from './address.ts'
import { withConnection } from './connection.ts'
import { sqlOn } from './row-types.ts'
import { withoutTimeouts } from './transactions.ts'

interface MigratorOptions {
  address: Address
  /** Migrations in Prisma's layout. */
  folder: string
  clock: () => Date
}

/** A number of ours among the advisory locks of the database. */
const lockNumber = 7_253_370_281

/** How long a migration waits for a locked table. Every request behind it waits as well: less than a request waits for a lock. */
const tableLockMs = 10

/** For so long it tries again, after a pause in which requests go on. */
const tableLockTriesMs = 10_000
const tableLockPauseMs = 100

/** How long to wait for another instance that migrates, and how often it is asked. */
const migrationLockMs = 10 * 60_000
const migrationLockEveryMs = 200

/** A migration that takes something away has the number of another one in its name, which a build has to know to do without that. */
const contraction = /_after_(\d{14})$/

/** Whether a migration of a later build leaves this one what it needs: instances are replaced one after the other, on one database. */
function isHarmless({ migration_name: name, finished_at }: HistoryRow, known: readonly Migration[]): boolean {
  const last = known.at(-1)?.name ?? ''
  if (finished_at === null || name <= last) return false
  const [, needed] = contraction.exec(name) ?? []
  return needed === undefined || known.some((migration) => migration.name.startsWith(needed))
}

export const postgresHistory: HistoryDialect = {
  kind: 'database',
  listTables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  isHarmless,
}

const literal = (time: Date) => pg.escapeLiteral(time.toISOString())

/** One message, so that requests wait for a locked table no longer than the server takes. */
const inOneTransaction = (migration: Migration, now: Date) =>
  [
    'BEGIN',
    historyTable('TIMESTAMPTZ', 'INTEGER'),
    `SET LOCAL lock_timeout = ${tableLockMs}`,
    migration.sql,
    note(migration, literal(now)),
    'COMMIT',
  ].join('\n;\n')

/** Builds an index while others write to the table: the one statement of its migration, which is no part of a transaction. */
const isConcurrent = ({ sql }: Migration) => /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s/im.test(sql)

/** An index whose build was interrupted stays, is never used, and has to go before it is built again. */
async function dropUnfinishedIndexes({ query, run }: Sql) {
  const indexes = await query<{ name: string }>(
    `SELECT c.oid::regclass AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of indexes) await run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
}

async function runConcurrently(sql: Sql, migration: Migration, now: Date) {
  await dropUnfinishedIndexes(sql)
  await sql.run(migration.sql)
  await sql.run(note(migration, literal(now)))
}

/** Held until the transaction ends. A statement that waited for it would have a snapshot, which the build of an index waits for. */
async function takesLock({ query }: Sql): Promise<boolean> {
  const [row] = await query<{ taken: 0 | 1 }>(`SELECT pg_try_advisory_xact_lock(${lockNumber}) AS taken`)
  return row?.taken === 1
}

/** Waits for another instance that migrates. */
async function whileLocked<T>(sql: Sql, act: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + migrationLockMs
  const actIfLocked = async () => ((await takesLock(sql)) ? { result: await act() } : undefined)
  for (;;) {
    const done = await transactOn(sql, actIfLocked, `BEGIN; ${withoutTimeouts}`)
    if (done) return done.result
    if (Date.now() > deadline) throw new DatabaseError('busy', '55P03')
    await sleep(migrationLockEveryMs)
  }
}

/** Tries until no table is locked. */
async function untilUnlocked<Result>(act: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + tableLockTriesMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      await sleep(tableLockPauseMs)
    }
  }
}

/** Migrates a PostgreSQL database. A migration is one transaction, or the one statement that builds an index concurrently. */
export function createPostgresMigrator({ address, folder, clock }: MigratorOptions) {
  const open = <T>(act: (sql: Sql) => Promise<T>) =>
    withConnection(address, { lockTimeoutMs: migrationLockMs, statementTimeoutMs: 0 }, (client) =>
      act(sqlOn(client)),
    )

  return createMigrator<Sql>({
    ...postgresHistory,
    migrations: readMigrations(folder),
    openToRead: open,
    openToMigrate: open,
    whileLocked,
    // On a connection of its own: the other one is in the transaction that holds the lock.
    run(_, migration) {
      if (isConcurrent(migration)) return open((sql) => runConcurrently(sql, migration, clock()))
      const script = inOneTransaction(migration, clock())
      return untilUnlocked(() => open((sql) => sql.run(script)))
    },
  })
}
