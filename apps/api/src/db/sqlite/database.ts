import Sqlite from 'better-sqlite3'
import { guardResolver } from '../../api/fast-path/guarded-resolver.ts'
import { createResolver } from '../../api/fast-path/resolver.ts'
import { initAuditLogFile } from '../../audit/init.ts'
import { createKeyVault } from '../../crypto/key-vault.ts'
import { loadSecret } from '../../crypto/secret.ts'
import { exportRecords } from '../../import-export/export.ts'
import { importRecords } from '../../import-export/import.ts'
import { importInWorker } from '../../import-export/import-in-worker.ts'
import { monitorUsageFile, openUsageFile } from '../../usage/usage-file.ts'
import type { DatabaseOptions, ResolverSettings, SqliteDatabase } from '../database.ts'
import { sqliteCode } from '../errors.ts'
import { createLazyPrisma } from '../lazy-prisma.ts'
import { databaseFile as fileOf } from '../location.ts'
import { MigrationError } from '../migration-error.ts'
import { readMigrations } from '../migration-history.ts'
import { type DatabaseWatch, watchDatabase } from './database-file-monitor.ts'
import { unknownHealth } from './health.ts'
import { holdDatabase } from './lock.ts'
import { createLogIndex } from './log-index.ts'
import { createMigrator, requireWritable } from './migrate.ts'
import { createReader } from './reader.ts'
import { fileSizes } from './sizes.ts'
import { createWriter } from './writer.ts'

/** The database in an SQLite file; until it is closed, nothing replaces that file. */
export async function openSqliteDatabase(options: DatabaseOptions): Promise<SqliteDatabase> {
  const databaseFile = fileOf(options.databaseUrl, options.cwd)
  const held = holdDatabase(databaseFile)
  try {
    const database = await openHeld(databaseFile, options)
    return { ...database, close: () => database.close().finally(held.release) }
  } catch (error) {
    held.release()
    throw error
  }
}

async function openHeld(databaseFile: string, options: DatabaseOptions): Promise<SqliteDatabase> {
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
  initAuditLogFile(databaseFile, { vault, clock })
  let watch: DatabaseWatch | undefined
  const guard = () => watch?.require()
  const index = createLogIndex(databaseFile)
  const open = () =>
    import('./prisma.ts').then(({ openPrisma }) => openPrisma({ file: databaseFile, busyTimeoutMs }))
  const later = createLazyPrisma({ open, guard })
  const writer = createWriter({ file: databaseFile, guard })
  const reader = createReader({ file: databaseFile, guard })
  const traffic = monitorUsageFile(databaseFile)
  const newLookUp = (settings: ResolverSettings) => () =>
    createResolver({ databaseFile, logIndex: index.descriptor, vault, ...settings })
  return {
    kind: 'sqlite',
    databaseFile,
    backup,
    vault,
    prisma: later.prisma,
    write: writer.write,
    read: reader.read,
    startMonitoring(logger) {
      const known = readMigrations(folder)
      const isIntact = () => checkContent(databaseFile)
      watch = watchDatabase({ file: databaseFile, index, logger, vault, known, isIntact })
      watch.onRelease(writer.close)
      watch.onRelease(later.close)
    },
    health: async () => watch?.health() ?? unknownHealth('failed'),
    createResolver: (settings) =>
      watch
        ? guardResolver(newLookUp(settings), { watch, onError: settings.onError })
        : newLookUp(settings)(),
    load: (task) => importRecords({ ...task, databaseFile, vault }),
    async importInWorker(task) {
      guard()
      const result = await importInWorker({ ...task, databaseFile, vault })
      guard()
      return result
    },
    export: () => exportRecords({ databaseFile, vault }),
    sizes: async () => fileSizes(databaseFile),
    traffic: traffic.use,
    lastUses: async (keyIds) => lastUses(databaseFile, keyIds),
    select: async (sql, ...parameters) => select(databaseFile, sql, parameters),
    async erasing(act) {
      // What is overwritten and removed is zeroed in the file, which SQLite does not do otherwise.
      await later.prisma.$queryRawUnsafe('PRAGMA secure_delete = ON')
      const result = await act()
      // The log still holds the pages as they were.
      await later.prisma.$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)')
      return result
    },
    async close() {
      watch?.close()
      traffic.close()
      await reader.close()
      await writer.close()
      await later.close()
      index.close()
    },
  }
}

/** Reads all of it, in a thread of its own: that may take seconds. */
async function checkContent(file: string): Promise<boolean> {
  const reader = createReader({ file, guard() {} })
  try {
    const [found] = await reader.read<{ integrity_check: string }>('PRAGMA integrity_check(1)')
    return found?.integrity_check === 'ok'
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error))) return false
    throw error
  } finally {
    await reader.close()
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

function lastUses(databaseFile: string, keyIds: readonly string[] | undefined) {
  const traffic = openUsageFile(databaseFile)
  try {
    return traffic.lastUses(keyIds)
  } finally {
    traffic.close()
  }
}
