import type { Pool } from 'pg'
import { createPipeline } from '../../api/fast-path/postgres/pipeline.ts'
import { createReplicas } from '../../api/fast-path/postgres/replicas.ts'
import { createPostgresResolver } from '../../api/fast-path/postgres/resolver.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import { SecretError } from '../../crypto/secret.ts'
import { importRecords } from '../../import-export/import.ts'
import { importInWorker } from '../../import-export/import-in-worker.ts'
import { exportFromPostgres } from '../../import-export/postgres/export.ts'
import { createPostgresUsageStore, lastUsesIn } from '../../usage/postgres-usage-tables.ts'
import type { DatabaseOptions, PostgresDatabase } from '../database.ts'
import { createLazyPrisma } from '../lazy-prisma.ts'
import { MigrationError } from '../migration-error.ts'
import { readMigrations } from '../migration-history.ts'
import type { QueryParameter } from '../sqlite/reader.ts'
import { type Address, readAddress } from './address.ts'
import { type ConnectionOptions, withConnection } from './connection.ts'
import { openDeployment, requireCopy, requireDeployment } from './deployment.ts'
import { checkHealth } from './health.ts'
import { createPostgresMigrator } from './migrate.ts'
import { postgresMigrationsFolder } from './migrations-folder.ts'
import { createPool } from './pool.ts'
import { requirePrimary } from './primary.ts'
import { rowTypes } from './row-types.ts'
import { databaseSizes } from './sizes.ts'

/** A request waits no longer for what it asks of the database than this, and for the answer to come over the network. */
const serving = { statementTimeoutMs: 5000, timeoutMs: 6000 }

/** How long a transaction may take, its wait for other writers included. */
const transactionMs = { timeout: 10_000, maxWait: 5000 }

/** The four operations: what takes longer than this was not found out. Every look-up is by an index, whatever is known of the tables. */
const hot: ConnectionOptions = {
  ...{ lockTimeoutMs: 50, statementTimeoutMs: 1500, timeoutMs: 2000 },
  plan: { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', work_mem: '64MB' },
}

/** A list may be of thousands of items. */
const hotLists = { ...hot, statementTimeoutMs: 5000, timeoutMs: 6000 }

/** A copy that does not answer is not waited for: the primary does. */
const hotReplica = { ...hot, statementTimeoutMs: 1000, timeoutMs: 1000 }

function pipelinesTo({ address, identity, replicas }: Opened) {
  const pipeline = (limits: ConnectionOptions, size: number) =>
    createPipeline({ address, limits, size, check: (client) => requireDeployment(client, identity) })
  const copies = replicas.map((replica) =>
    createPipeline({
      ...{ address: replica, limits: hotReplica, size: 1 },
      check: (client) => requireCopy(client, identity),
    }),
  )
  return {
    pipelines: { short: pipeline(hot, 2), lists: pipeline(hotLists, 1) },
    pgbouncer: address.pgbouncer,
    replicas: copies.length ? createReplicas(copies) : undefined,
  }
}

async function requireMigrated(address: Address, { migrations, clock }: DatabaseOptions) {
  const folder = postgresMigrationsFolder(migrations)
  const { applied, pending } = await createPostgresMigrator({ address, folder, clock }).status()
  if (pending.length === 0) return
  const lack = applied.length ? `lacks ${pending.length} migrations` : 'is empty'
  throw new MigrationError('pending', `the database ${lack}: run "saleproof migrate" once, then start again`)
}

interface Opened {
  address: Address
  replicas: readonly Address[]
  pool: Pool
  vault: KeyVault
  identity: string
}

function createStore(opened: Opened, options: DatabaseOptions): PostgresDatabase {
  const { address, pool, vault } = opened
  const { databaseUrl } = options
  // What keeps something on its connection goes past PgBouncer.
  const task = { databaseUrl: options.directUrl ?? databaseUrl, vault }
  const open = () => import('./prisma.ts').then(({ openPrisma }) => openPrisma(pool))
  // PgBouncer may have gone over to a standby meanwhile, whose no is none.
  const guard = () => (address.pgbouncer ? requirePrimary(pool) : undefined)
  const { prisma, close } = createLazyPrisma({ open, guard })
  const traffic = createPostgresUsageStore(pool)
  const known = readMigrations(postgresMigrationsFolder(options.migrations))
  return {
    kind: 'postgresql',
    databaseUrl,
    prisma,
    write: (act) => prisma.$transaction(act, transactionMs),
    vault,
    startMonitoring(logger) {
      // Nothing else of the error: it holds the connection, and that what was asked.
      pool.on('error', ({ name, code }: Error & { code?: string }) =>
        logger.warn({ cause: { name, code } }, 'a connection to the database was lost; another one is made'),
      )
    },
    createResolver: (settings) => createPostgresResolver({ ...pipelinesTo(opened), vault, ...settings }),
    health: () => checkHealth(pool, { known, vault }),
    load: (records) => importRecords({ ...records, ...task }),
    importInWorker: (records) => importInWorker({ ...records, ...task }),
    export: () => exportFromPostgres(task),
    sizes: () => databaseSizes(pool),
    traffic: () => traffic,
    lastUses: (keyIds) => lastUsesIn(pool, keyIds),
    async read<Row>(text: string, ...values: QueryParameter[]) {
      const { rows } = await pool.query({ text, values, types: rowTypes })
      return rows as Row[]
    },
    async select<Row>(text: string, ...values: string[]) {
      const { rows } = await pool.query({ text, values, types: rowTypes })
      return rows as Row[]
    },
    async erasing(act) {
      const result = await act()
      // The rows as they were stay in the file of a table until it is written anew.
      await pool.query('VACUUM FULL "Account"')
      return result
    },
    async close() {
      await close()
      await pool.end()
    },
  }
}

/** The database in a PostgreSQL database, which others may use at the same time. It is migrated by the command for that alone. */
export async function openPostgresDatabase(options: DatabaseOptions): Promise<PostgresDatabase> {
  const { databaseUrl, secret, busyTimeoutMs, clock } = options
  if (secret === undefined) throw new SecretError('SALEPROOF_SECRET has to be set to use PostgreSQL')
  const address = readAddress(databaseUrl)
  await requireMigrated(address, options)
  const deployment = await withConnection(address, { lockTimeoutMs: 5000 }, (client) =>
    openDeployment(client, secret, clock),
  )
  const isServing = options.migrate === 'always'
  const limits = { lockTimeoutMs: busyTimeoutMs, ...(isServing && serving) }
  const pool = createPool(address, limits, (client) => requireDeployment(client, deployment.identity))
  const replicas = (options.replicaUrls ?? []).map(readAddress)
  return createStore({ address, replicas, pool, ...deployment }, options)
}
