import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { MigrationError } from '../migration-error.ts'
import { type HistoryRow, type Migration, readHistory, readMigrations } from '../migration-history.ts'
import type { Address } from './address.ts'
import { withConnection } from './connection.ts'
import type { Queryable } from './queryable.ts'
import { runStepsOn } from './row-types.ts'
import { inTransaction } from './transactions.ts'

interface MigratorOptions {
  address: Address
  /** Migrations in Prisma's layout. */
  folder: string
  clock: () => Date
}

/** A number of ours among the advisory locks of the database. */
const lockNumber = 7_253_370_281

/** How long a migration waits for a locked table; every request behind it waits as well. */
const tableLockMs = 5000

/** How long to wait for another instance that migrates. */
const migrationLockMs = 10 * 60_000

/** Prisma's own table, as its engine makes it, so that its tools read what is written here. */
const historyTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
)`

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
export const appliedMigrations = (database: Queryable, known: readonly Migration[]) =>
  runStepsOn(
    database,
    readHistory({
      known,
      tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
      foreign: new MigrationError(
        'foreign_database',
        'the database holds tables that are not Saleproof’s',
        'set DATABASE_URL to a database of its own',
      ),
      isHarmless: (row) => isHarmless(row, known),
    }),
  )

async function applyMigration(client: ClientBase, { name, sql, checksum }: Migration, now: Date) {
  await client.query(historyTable)
  await client.query(`SET LOCAL lock_timeout = ${tableLockMs}`)
  await client.query(sql)
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, $3, 1)`,
    [randomUUID(), checksum, now.toISOString(), name],
  )
}

/**
 * Brings a PostgreSQL database to the schema of this build. Each migration is one transaction under a lock: however
 * many instances start, each migration is applied once.
 */
export function createPostgresMigrator({ address, folder, clock }: MigratorOptions) {
  const migrations = readMigrations(folder)
  const open = <T>(act: (client: ClientBase) => Promise<T>) =>
    withConnection(address, { lockTimeoutMs: migrationLockMs }, act)

  const pendingAfter = (applied: readonly string[]) =>
    migrations.filter(({ name }) => !applied.includes(name))

  /** Applies one pending migration, if there still is one when the lock is held. */
  const applyNext = (client: ClientBase) =>
    inTransaction(client, 'BEGIN', async () => {
      await client.query(`SELECT pg_advisory_xact_lock(${lockNumber})`)
      const [next] = pendingAfter(await appliedMigrations(client, migrations))
      if (next) await applyMigration(client, next, clock())
      return next?.name
    })

  return {
    status: () =>
      open(async (client) => {
        const applied = await appliedMigrations(client, migrations)
        return { applied, pending: pendingAfter(applied).map(({ name }) => name) }
      }),

    /** Applies all pending migrations, and returns their names. */
    apply: () =>
      open(async (client) => {
        const applied: string[] = []
        for (let name = await applyNext(client); name; name = await applyNext(client)) applied.push(name)
        return { applied }
      }),
  }
}
