import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, DatabaseSizes, Monitoring, Read } from '../database.ts'
import { unknownHealth } from '../health.ts'
import { createLazyPrisma } from '../lazy-prisma.ts'
import { usageFilePath } from '../location.ts'
import { readMigrations, requireNoneOf } from '../migration-history.ts'
import { fromPrisma, transactionMs } from '../prisma.ts'
import type { Statement } from '../sql.ts'
import { type DatabaseFileMonitor, monitorDatabaseFile } from './database-file-monitor.ts'
import { erasing } from './erase.ts'
import { fromSqlite } from './errors.ts'
import { createLogIndex } from './log.ts'
import { createSqliteMigrator, type MigratorOptions, requireWritable } from './migrate.ts'
import { createStorageThread } from './storage-thread.ts'
import { createWriter } from './writer.ts'

interface MigrationOptions extends MigratorOptions {
  /** Which files are migrated: each that is opened to serve, or only a new one. */
  migrate: 'always' | 'when new'
}

/** Brings a file to the schema of this build before it is opened; gives the path of the copy that was made of it first. */
export async function migrateFile({ migrate, ...options }: MigrationOptions): Promise<string | undefined> {
  const migrator = createSqliteMigrator(options)
  const { applied, pending } = await migrator.status()
  if (migrate === 'when new' && applied.length) requireNoneOf(pending)
  const backup = pending.length ? (await migrator.apply()).backup : undefined
  if (migrate === 'always') requireWritable(options.databaseFile)
  return backup
}

function orUndefined(read: () => number) {
  try {
    return read()
  } catch {
    return undefined
  }
}

function databaseSizes(databaseFile: string): DatabaseSizes {
  const files = { main: databaseFile, wal: `${databaseFile}-wal`, usage: usageFilePath(databaseFile) }
  const parts = Object.entries(files).flatMap(([name, file]) => {
    const size = orUndefined(() => statSync(file).size)
    return size === undefined ? [] : [[name, size] as const]
  })
  const free = orUndefined(() => {
    const { bavail, bsize } = statfsSync(dirname(databaseFile))
    return bavail * bsize
  })
  return { parts: Object.fromEntries(parts), free }
}

interface SqliteOptions {
  databaseFile: string
  migrations: string
  busyTimeoutMs: number
  secretCheck: string
  migrate: MigrationOptions['migrate']
}

/** The database in an SQLite file that is migrated, and what else of it a fast path needs. */
export function createSqliteDatabase(options: SqliteOptions) {
  const { databaseFile, migrations, secretCheck, migrate } = options
  const limitMs = transactionMs[migrate]
  let monitor: DatabaseFileMonitor | undefined
  const guard = () => monitor?.require()
  const logIndex = createLogIndex(databaseFile)
  const readingThread = createStorageThread({ file: databaseFile })
  const writer = createWriter({ file: databaseFile, guard })
  const lazy = createLazyPrisma({
    open: async () => (await import('./prisma.ts')).openPrisma({ ...options, writer, limitMs }),
    guard,
    mapError: (error) => fromPrisma(fromSqlite(error)),
  })
  const read: Read = async <Row>(...[sql, ...values]: Statement) => {
    guard()
    const rows = await readingThread.call<Row[]>({ method: 'read', sql, values })
    guard()
    return rows
  }
  const database: Database = {
    prisma: lazy.prisma,
    transact: (act, ...options) => writer.transact((sql) => lazy.join(sql, writer, act), ...options),
    read,
    erasing: (act) => erasing(act, { file: databaseFile, writer, rewrite: migrate === 'when new' }),
  }
  const monitoring: Monitoring = {
    start({ logger, around }) {
      lazy.observe(around)
      monitor = monitorDatabaseFile({
        file: databaseFile,
        index: logIndex,
        logger,
        secretCheck,
        known: readMigrations(migrations),
        checkpoint: () => writer.checkpoint('PASSIVE', { serving: true }),
      })
    },
    health: async () => ({ checks: (await monitor?.health()) ?? unknownHealth('failed') }),
    sizes: async () => databaseSizes(databaseFile),
  }
  async function close() {
    const isWhole = (await monitor?.close()) ?? true
    await lazy.close()
    await Promise.all([writer.close(), readingThread.close()])
    if (isWhole) logIndex.close()
  }
  return { database, monitoring, close, guard, logIndex, monitor: () => monitor }
}
