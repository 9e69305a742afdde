import { createResolver } from './api/fast-path/resolver.ts'
import { createKeyVault, type KeyVault } from './crypto/key-vault.ts'
import { databaseFile as fileOf } from './db/location.ts'
import { refuse } from './db/sqlite/checkpoint-record.ts'
import { findLostCommits } from './db/sqlite/commit-record.ts'
import { createSqliteDatabase, migrateFile } from './db/sqlite/database.ts'
import { withFile } from './db/sqlite/file.ts'
import { lockShared } from './db/sqlite/lock.ts'
import { requireInUse } from './db/sqlite/transferred.ts'
import { appendAudit } from './domain/audit-log.ts'
import { fewSqlite } from './import-export/few.ts'
import { createImportWorkers } from './import-export/import-in-worker.ts'
import { createImporter } from './import-export/importer.ts'
import { loadSecret } from './maintenance/secret/load-secret.ts'
import type { DatabaseOptions, OpenDatabase } from './open-database.ts'
import { createUsageThread } from './usage/usage-thread.ts'

/** Opens the database in an SQLite file; until it is closed, no restore replaces that file. */
export async function openSqliteDeployment(options: DatabaseOptions): Promise<OpenDatabase> {
  const { clock, secret: given } = options
  const databaseFile = fileOf(options.databaseUrl, options.cwd)
  const held = lockShared(databaseFile)
  try {
    const lost = findLostCommits(databaseFile)
    if (!options.acceptLostWrites) refuse(lost)
    const backup = await migrateFile({ ...options, databaseFile })
    const secret = await loadSecret({ databaseFile, given, clock })
    await withFile(databaseFile, requireInUse)
    const opened = compose({ ...options, databaseFile, backup, secret, vault: createKeyVault(secret) })
    if (lost) await recordLoss(opened, lost, clock())
    return { ...opened, close: () => opened.close().finally(held.release) }
  } catch (error) {
    held.release()
    throw error
  }
}

/** Records that the service goes on without changes that it had confirmed. */
async function recordLoss({ database, close }: OpenDatabase, { entries }: { entries: string }, at: Date) {
  try {
    const event = { at, action: 'writes.lost', actor: 'cli', subject: `entries ${entries}` } as const
    await database.transact((sql) => appendAudit(sql, event))
  } catch (error) {
    await close()
    throw error
  }
}

interface ComposeOptions extends DatabaseOptions {
  databaseFile: string
  backup: string | undefined
  secret: string
  vault: KeyVault
}

function compose(options: ComposeOptions): OpenDatabase {
  const { databaseFile, backup, secret, vault } = options
  const { database, monitoring, close, guard, logIndex, monitor } = createSqliteDatabase({
    ...options,
    secretCheck: vault.check(),
  })
  const workers = createImportWorkers({ secret })
  const importRecords = createImporter({
    dialect: fewSqlite,
    transact: database.transact,
    vault,
    async inWorker(request) {
      guard()
      const result = await workers.importInWorker({ ...request, databaseFile })
      guard()
      return result
    },
  })
  const usage = createUsageThread(databaseFile)
  return {
    place: { kind: 'sqlite', file: databaseFile, backup },
    database,
    monitoring,
    vault,
    createResolver: (settings) =>
      createResolver({
        databaseFile,
        logIndex: logIndex.descriptor,
        monitor: monitor(),
        vault,
        ...settings,
      }),
    importRecords,
    usage: usage.store,
    async close() {
      await workers.close()
      await usage.close()
      await close()
    },
  }
}
