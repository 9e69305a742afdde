import Sqlite from 'better-sqlite3'
import { bringUpAudit } from '../audit/begin.ts'
import { createKeyVault } from '../crypto/key-vault.ts'
import { loadSecret } from '../crypto/secret.ts'
import { deploymentIn } from '../database/deployment.ts'
import { databaseFile as fileOf } from '../database/location.ts'
import { holdDatabase } from '../database/lock.ts'
import { createMigrator, requireWritable } from '../database/migrate.ts'
import { MigrationError } from '../database/migration-error.ts'
import { openLater } from '../database/open-later.ts'
import { fileSizes } from '../database/sizes.ts'
import { createWriter } from '../database/writer.ts'
import { exportRecords } from '../export/export.ts'
import { createLookUp } from '../hot/look-up.ts'
import { importRecords } from '../import/import.ts'
import { importInWorker } from '../import/import-in-worker.ts'
import type { SqliteStore, StoreOptions } from '../store.ts'
import { openTrafficFile } from '../traffic/traffic-file.ts'

/** How long a check may wait for a lock: the process waits with it. */
const checkTimeoutMs = 50

/** The store in an SQLite file; until it is closed, nothing replaces that file. */
export async function openSqliteStore(options: StoreOptions): Promise<SqliteStore> {
  const databaseFile = fileOf(options.databaseUrl, options.cwd)
  const held = holdDatabase(databaseFile)
  try {
    const store = await openHeld(databaseFile, options)
    return { ...store, close: () => store.close().finally(held.release) }
  } catch (error) {
    held.release()
    throw error
  }
}

async function openHeld(databaseFile: string, options: StoreOptions): Promise<SqliteStore> {
  const { migrations: folder, busyTimeoutMs, clock } = options
  const migrator = createMigrator({ file: databaseFile, folder, clock })
  const { applied, pending } = migrator.status()
  let backup: string | undefined
  if (pending.length) {
    if (options.migrate === 'when new' && applied.length) {
      throw new MigrationError(
        'pending',
        `the database lacks ${pending.length} migrations: run "saleproof migrate"`,
      )
    }
    backup = (await migrator.apply()).backup
  }
  if (options.migrate === 'always') requireWritable(databaseFile)
  const vault = createKeyVault(loadSecret({ databaseFile, given: options.secret, clock }))
  bringUpAudit(databaseFile, { vault, clock })
  const { prisma, close } = openLater({ file: databaseFile, busyTimeoutMs })
  const writer = createWriter({ file: databaseFile })
  return {
    kind: 'sqlite',
    databaseFile,
    backup,
    prisma,
    write: writer.write,
    vault,
    close: () => writer.close().finally(close),
    // A connection of its own each time: one that is open goes on reading a file that was deleted.
    answers: async () => deploymentIn(databaseFile, { busyTimeoutMs: checkTimeoutMs }).read() !== undefined,
    createLookUp: (settings) => createLookUp({ databaseFile, vault, ...settings }),
    load: (task) => importRecords({ ...task, databaseFile, vault }),
    loadBeside: (task) => importInWorker({ ...task, databaseFile, vault }),
    export: () => exportRecords({ databaseFile, vault }),
    sizes: async () => fileSizes(databaseFile),
    lastUses: async () => lastUses(databaseFile),
    select: async (sql, ...parameters) => select(databaseFile, sql, parameters),
  }
}

function select<Row>(databaseFile: string, sql: string, parameters: readonly string[]) {
  const database = new Sqlite(databaseFile, { fileMustExist: true, readonly: true, timeout: 5000 })
  try {
    // SQLite takes `$1` for a name.
    const named = Object.fromEntries(parameters.map((parameter, index) => [index + 1, parameter]))
    return database.prepare<[object], Row>(sql).all(named)
  } finally {
    database.close()
  }
}

function lastUses(databaseFile: string) {
  const traffic = openTrafficFile(databaseFile)
  try {
    return traffic.lastUses()
  } finally {
    traffic.close()
  }
}
