import { createFailures, createPipeline } from './api/fast-path/postgres/pipeline.ts'
import { createPostgresResolver } from './api/fast-path/postgres/resolver.ts'
import { createKeyVault } from './crypto/key-vault.ts'
import { readAddress, type SessionLimits } from './db/postgres/address.ts'
import { withConnection } from './db/postgres/connection.ts'
import { createPostgresDatabase, requireMigrated } from './db/postgres/database.ts'
import { createPool } from './db/postgres/pool.ts'
import { requireDeployment } from './db/postgres/primary.ts'
import { sqlOn } from './db/postgres/row-types.ts'
import { fewPostgresql } from './import-export/few.ts'
import { createImportWorkers } from './import-export/import-in-worker.ts'
import { createImporter } from './import-export/importer.ts'
import { openDeployment } from './maintenance/secret/load-secret.ts'
import type { DatabaseOptions, OpenDatabase } from './open-database.ts'
import { createUsageStore, runUsageCall } from './usage/usage-store.ts'
import { UserError } from './user-error.ts'

/** How long a request waits for a statement, and for the result to come over the network. */
const serving = { statementTimeoutMs: 5000, timeoutMs: 6000 }

/** Limits of the fast path. Every query goes by an index, whatever the statistics of the tables say. */
const fastPath: SessionLimits = {
  lockTimeoutMs: 50,
  statementTimeoutMs: 1400,
  plan: { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', work_mem: '64MB' },
}

/** A list may hold thousands of items. */
const fastPathLists = { ...fastPath, statementTimeoutMs: 5000 }

/** Opens a PostgreSQL database, which others may use at the same time. `saleproof migrate` alone migrates it. */
export async function openPostgres(options: DatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, secret, busyTimeoutMs } = options
  if (secret === undefined) throw new UserError('SALEPROOF_SECRET has to be set to use PostgreSQL')
  const address = readAddress(databaseUrl)
  await requireMigrated(address, options)
  const vault = createKeyVault(secret)
  const identity = await withConnection(address, { lockTimeoutMs: 5000 }, (client) =>
    openDeployment(sqlOn(client), vault, options.clock()),
  )
  const check = (client: Parameters<typeof requireDeployment>[0]) => requireDeployment(client, identity)
  const limits = { lockTimeoutMs: busyTimeoutMs, ...(options.migrate === 'always' && serving) }
  const pool = createPool(address, limits, check)
  // What keeps state on its connection goes past PgBouncer.
  const directUrl = options.directUrl ?? databaseUrl
  const { database, monitoring, close } = createPostgresDatabase({
    ...options,
    address,
    pool,
    secretCheck: vault.check(),
  })
  const usage = createUsageStore((call) =>
    database.transact((sql) => runUsageCall(sql, call), undefined, { lossy: true }),
  )
  const workers = createImportWorkers({ secret })
  const importRecords = createImporter({
    dialect: fewPostgresql(address),
    transact: database.transact,
    vault,
    inWorker: (request) => workers.importInWorker({ ...request, databaseUrl: directUrl }),
  })
  return {
    place: { kind: 'postgresql', url: databaseUrl },
    database,
    monitoring,
    vault,
    createResolver(settings) {
      const server = { address, check, failures: createFailures() }
      return createPostgresResolver({
        ...settings,
        vault,
        pipelines: {
          short: createPipeline({ ...server, limits: fastPath }),
          lists: createPipeline({ ...server, limits: fastPathLists }),
        },
        pgbouncer: address.pgbouncer,
      })
    },
    importRecords,
    usage,
    async close() {
      await workers.close()
      await close()
    },
  }
}
