import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type ClientBase } from 'pg'
import { DatabaseError, isBusy } from '../errors.ts'
import {
  type HistoryRow,
  hasHistory,
  historyTable,
  type Migration,
  note,
  readMigrations,
  requireHistory,
  selectHistory,
} from '../migration-history.ts'
import { transactOn } from '../sql.ts'
import type { Address } from './address.ts'
import { withConnection } from './connection.ts'
import type { Queryable } from './primary.ts'
import { selectOn, sqlOn } from './row-types.ts'
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

/** The names of our migrations that a database has, after a check that nothing of it is another's. */
export async function appliedMigrations(database: Queryable, known: readonly Migration[]) {
  const select = selectOn(database)
  const tables = await select<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  if (!hasHistory(tables, 'database')) return []
  const rows = await select<HistoryRow>(selectHistory)
  return requireHistory(
    rows.filter((row) => !isHarmless(row, known)),
    known,
  )
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
async function dropUnfinishedIndexes(client: ClientBase) {
  const { rows } = await client.query(
    `SELECT c.oid::regclass AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
}

async function applyConcurrently(client: ClientBase, migration: Migration, now: Date) {
  await dropUnfinishedIndexes(client)
  await client.query(migration.sql)
  await client.query(note(migration, literal(now)))
}

/** Held until the transaction ends. A statement that waited for it would have a snapshot, which the build of an index waits for. */
async function takesLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${lockNumber}) AS taken`)
  return rows[0].taken
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

/**
 * Brings a PostgreSQL database to the schema of this build, under a lock: however many instances start, each migration is applied once.
 * A migration is one transaction, or the one statement that builds an index concurrently.
 */
export function createPostgresMigrator({ address, folder, clock }: MigratorOptions) {
  const migrations = readMigrations(folder)
  const open = <T>(act: (client: ClientBase) => Promise<T>) =>
    withConnection(address, { lockTimeoutMs: migrationLockMs, statementTimeoutMs: 0 }, act)

  const pendingAfter = (applied: readonly string[]) =>
    migrations.filter(({ name }) => !applied.includes(name))

  async function applyMigration(migration: Migration) {
    if (isConcurrent(migration)) return open((client) => applyConcurrently(client, migration, clock()))
    const script = inOneTransaction(migration, clock())
    await untilUnlocked(() => open((client) => client.query(script)))
  }

  /** Applies the pending migrations while this transaction holds the lock; undefined where another one does. */
  async function applyLocked(client: ClientBase) {
    if (!(await takesLock(client))) return undefined
    const pending = pendingAfter(await appliedMigrations(client, migrations))
    for (const migration of pending) await applyMigration(migration)
    return { applied: pending.map(({ name }) => name) }
  }

  async function applyPending(client: ClientBase) {
    const deadline = Date.now() + migrationLockMs
    for (;;) {
      const done = await transactOn(sqlOn(client), () => applyLocked(client), `BEGIN; ${withoutTimeouts}`)
      if (done) return done
      if (Date.now() > deadline) throw new DatabaseError('busy', '55P03')
      await sleep(migrationLockEveryMs)
    }
  }

  return {
    status: () =>
      open(async (client) => {
        const applied = await appliedMigrations(client, migrations)
        return { applied, pending: pendingAfter(applied).map(({ name }) => name) }
      }),

    /** Applies all pending migrations, and returns their names. */
    apply: () => open(applyPending),
  }
}
