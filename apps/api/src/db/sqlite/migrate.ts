import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncToDisk } from '../../files.ts'
import { newId } from '../../ids.ts'
import { isBusy } from '../errors.ts'
import {
  type HistoryDialect,
  historyTable,
  type Migration,
  MigrationError,
  note,
  readMigrations,
} from '../migration-history.ts'
import { createMigrator } from '../migrator.ts'
import { createSql, type Sql, transactOn } from '../sql.ts'
import { explain, explained } from './explained.ts'
import { type SqliteFile, withFile } from './file.ts'
import { findMissingDatabase } from './lost-file.ts'

export interface MigratorOptions {
  databaseFile: string
  /** The migrations of this build, in Prisma's layout. */
  migrations: string
  clock: () => Date
}

export const sqliteHistory: HistoryDialect = {
  kind: 'file',
  listTables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
}

/** Runs a migration and notes it. The caller holds the transaction. */
async function runMigration({ script, query }: SqliteFile, migration: Migration, now: Date) {
  await script(historyTable('DATETIME', 'INTEGER UNSIGNED'))
  await script(migration.sql)
  const broken = (await query('PRAGMA foreign_key_check')).length
  if (broken)
    throw new MigrationError(
      `migration ${migration.name} would leave ${broken} rows without what they refer to`,
    )
  await script(note(migration, now.getTime()))
}

/** Whether there is anything that a migration could lose. */
const holdsData = async ({ query }: Sql) =>
  (await query(`SELECT 1 FROM sqlite_master WHERE name = 'Account'`)).length > 0 &&
  (await query('SELECT 1 FROM "Account" LIMIT 1')).length > 0

/** How long to wait for another process that migrates. */
const lockTimeoutMs = 15_000

/**
 * Refuses to begin with an empty database where one was lost: that would refuse every key, and SQLite would delete the log, which may
 * hold the last that was confirmed.
 */
function requireNotLost(file: string) {
  const loss = explained(file, () => findMissingDatabase(file))
  if (!loss) return
  throw new MigrationError(
    `the database ${file} is ${loss.state}, and what belongs to it is there`,
    `put it back or restore a backup; or remove ${loss.traces.join(' and ')} to begin with an empty one`,
  )
}

/** Created here and not by SQLite, so that only its owner can read it. */
function createFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  requireNotLost(file)
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/**
 * Switches a new file to its journal. SQLite refuses that at once where another process holds the write lock, whatever the timeout: of
 * two processes that start on a new file one would fail.
 */
async function useWriteAheadLog({ run }: Sql) {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    try {
      return await run('PRAGMA journal_mode = WAL')
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}

/** Refuses a file that a service could only read: the first sale would fail. */
export const requireWritable = (file: string) => explained(file, () => accessSync(file, constants.W_OK))

/** Migrates the embedded database. Each migration is one transaction under the write lock. */
export function createSqliteMigrator({ databaseFile: file, migrations: folder, clock }: MigratorOptions) {
  async function open<T>(act: (on: SqliteFile) => Promise<T>): Promise<T> {
    try {
      return await withFile(file, act, { timeoutMs: lockTimeoutMs })
    } catch (error) {
      throw explain(error, file)
    }
  }

  return createMigrator<SqliteFile>({
    ...sqliteHistory,
    migrations: readMigrations(folder),

    async openToRead(act) {
      requireNotLost(file)
      // A file that is not there yet has no tables.
      return existsSync(file) ? open(act) : act(createSql(async () => []))
    },

    async openToMigrate(act) {
      explained(file, () => createFile(file))
      return open(async (on) => {
        await useWriteAheadLog(on)
        await on.run('PRAGMA synchronous = FULL')
        // Tables are rebuilt by dropping them: outside of the transaction, where this has no effect any more.
        await on.run('PRAGMA foreign_keys = OFF')
        return act(on)
      })
    },

    async backUp(on, next) {
      if (!(await holdsData(on))) return undefined
      const copy = `${file}.before-${next.name}-${clock().toISOString().replace(/\D/g, '').slice(0, 17)}`
      // Renamed when it is complete, so that half a copy is never restored.
      const draft = `${copy}.${newId()}`
      try {
        closeSync(openSync(draft, 'wx', 0o600))
        await on.run('VACUUM INTO $1', draft)
        syncToDisk(draft)
        renameSync(draft, copy)
      } finally {
        rmSync(draft, { force: true })
      }
      syncToDisk(dirname(copy))
      return copy
    },

    whileLocked: (on, act) => transactOn(on, act),
    run: (on, migration) => runMigration(on, migration, clock()),
  })
}
