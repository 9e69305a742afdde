import type { Pool } from 'pg'
import type { Database, Monitoring } from '../database.ts'
import { describeCause } from '../errors.ts'
import { createLazyPrisma } from '../lazy-prisma.ts'
import { postgresMigrationsFolder } from '../location.ts'
import { MigrationError, readMigrations } from '../migration-history.ts'
import { fromPrisma, transactionMs } from '../prisma.ts'
import type { Address } from './address.ts'
import { createHealthCheck } from './health.ts'
import { createPostgresMigrator } from './migrate.ts'
import { requirePrimary } from './primary.ts'
import { rewriteTable } from './rewrite-table.ts'
import { selectOn } from './row-types.ts'
import { createTransact } from './transact.ts'

/** Refuses a database that `saleproof migrate` has to bring to the schema of this build: instances do not. */
export async function requireMigrated(
  address: Address,
  { migrations, clock }: { migrations: string; clock: () => Date },
) {
  const folder = postgresMigrationsFolder(migrations)
  const { applied, pending } = await createPostgresMigrator({ address, folder, clock }).status()
  if (pending.length === 0) return
  const lack = applied.length ? `lacks ${pending.length} migrations` : 'is empty'
  throw new MigrationError(`the database ${lack}`, 'run "saleproof migrate" once, then start again')
}

interface PostgresOptions {
  address: Address
  pool: Pool
  migrations: string
  secretCheck: string
  migrate: 'always' | 'when new'
}

/** A migrated PostgreSQL database, which others may use at the same time. It ends the pool. */
export function createPostgresDatabase(options: PostgresOptions) {
  const { address, pool, secretCheck, migrate } = options
  const lazy = createLazyPrisma({
    open: async () => (await import('./prisma.ts')).openPrisma(pool, transactionMs[migrate]),
    mapError: fromPrisma,
    // PgBouncer may lead to a standby by now, which does not have every row.
    guard: () => (address.pgbouncer ? requirePrimary(pool) : undefined),
  })
  const known = readMigrations(postgresMigrationsFolder(options.migrations))
  const transact = createTransact(pool, address)
  const database: Database = {
    prisma: lazy.prisma,
    transact: (act, ...options) => transact((sql, client) => lazy.join(sql, client, act), ...options),
    read: selectOn(pool),
    async erasing(act, table) {
      const result = await act()
      if (table) await rewriteTable(pool, table)
      return result
    },
  }
  const monitoring: Monitoring = {
    start({ logger, around }) {
      lazy.observe(around)
      // Nothing else of the error: it holds the connection, and with it the query.
      pool.on('error', (error) =>
        logger.warn(
          { cause: describeCause(error) },
          'a connection to the database was lost; another one is made',
        ),
      )
    },
    health: createHealthCheck(pool, { known, secretCheck }),
    async sizes() {
      try {
        const { rows } = await pool.query('SELECT pg_database_size(current_database()) AS size')
        // What is left of its disk only the server knows.
        return { parts: { main: Number(rows[0].size) }, free: undefined }
      } catch {
        return { parts: {}, free: undefined }
      }
    },
  }
  async function close() {
    await lazy.close()
    await pool.end()
  }
  return { database, monitoring, close }
}
