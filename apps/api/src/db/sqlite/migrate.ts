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
import { syncToDisk } from '../../files.ts'
import { newId } from '../../ids.ts'
import { isBusy } from '../errors.ts'
import {
  hasHistory,
  historyTable,
  type Migration,
  MigrationError,
  note,
  readMigrations,
  requireHistory,
  selectHistory,
} from '../migration-history.ts'
import { pragmaRows, runSql, type SqliteConnection, withSqlite } from './connection.ts'
import { sqliteErrors } from './errors.ts'
import { explained } from './explained.ts'
import { findMissingDatabase } from './lost-file.ts'

export interface MigratorOptions {
  databaseFile: string
  /** The migrations of this build, in Prisma's layout. */
  migrations: string
  clock: () => Date
}

/** The names of our migrations that a file has, after a check that nothing of it is another's. */
export function appliedMigrations(connection: SqliteConnection, known: readonly Migration[]): string[] {
  const tables = runSql<{ name: string }>(
    connection,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  return hasHistory(tables, 'file') ? requireHistory(runSql(connection, selectHistory), known) : []
}

/** Runs a migration and notes it. The caller holds the transaction. */
function applyMigration(connection: SqliteConnection, migration: Migration, now: Date) {
  connection.exec(historyTable('DATETIME', 'INTEGER UNSIGNED'))
  connection.exec(migration.sql)
  const broken = pragmaRows(connection, 'foreign_key_check').length
  if (broken)
    throw new MigrationError(
      `migration ${migration.name} would leave ${broken} rows without what they refer to`,
    )
  connection.exec(note(migration, now.getTime()))
}

/** Whether there is anything that a migration could lose. */
const holdsData = (connection: SqliteConnection) =>
  runSql(connection, `SELECT 1 FROM sqlite_master WHERE name = 'Account'`).length > 0 &&
  runSql(connection, 'SELECT 1 FROM "Account" LIMIT 1').length > 0

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
function useWriteAheadLog(connection: SqliteConnection) {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    try {
      sqliteErrors(() => connection.pragma('journal_mode = WAL'))
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

/** Refuses a file that a service could only read: the first sale would fail. */
export const requireWritable = (file: string) => explained(file, () => accessSync(file, constants.W_OK))

/**
 * Brings the embedded database to the schema of this build. Each migration is one transaction under the write
 * lock: a second process waits and then finds nothing left to do. Prisma's own engine is not needed for that.
 */
export function createMigrator({ databaseFile: file, migrations: folder, clock }: MigratorOptions) {
  const migrations = readMigrations(folder)

  const open = <T>(act: (connection: SqliteConnection) => T): T =>
    explained(file, () => withSqlite(file, act, { timeoutMs: lockTimeoutMs }))

  const pendingAfter = (applied: readonly string[]) =>
    migrations.filter(({ name }) => !applied.includes(name))

  function status() {
    requireNotLost(file)
    const applied = existsSync(file) ? open((connection) => appliedMigrations(connection, migrations)) : []
    return { applied, pending: pendingAfter(applied).map(({ name }) => name) }
  }

  /** Copies a database that holds data, before it is changed; gives the path of the copy. */
  function backUp(connection: SqliteConnection, next: Migration): string | undefined {
    if (!holdsData(connection)) return undefined
    const copy = `${file}.before-${next.name}-${clock().toISOString().replace(/\D/g, '').slice(0, 17)}`
    // Renamed when it is complete, so that half a copy is never restored.
    const draft = `${copy}.${newId()}`
    try {
      closeSync(openSync(draft, 'wx', 0o600))
      connection.prepare('VACUUM INTO ?').run(draft)
      syncToDisk(draft)
      renameSync(draft, copy)
    } finally {
      rmSync(draft, { force: true })
    }
    syncToDisk(dirname(copy))
    return copy
  }

  /** Applies one pending migration, if there still is one when the lock is held. */
  const applyNext = (connection: SqliteConnection) =>
    connection
      .transaction(() => {
        const [next] = pendingAfter(appliedMigrations(connection, migrations))
        if (next) applyMigration(connection, next, clock())
        return next?.name
      })
      .immediate()

  return {
    status,

    /** Applies all pending migrations; returns their names, and the path of the copy that was made before. */
    apply() {
      explained(file, () => createFile(file))
      return open((connection) => {
        useWriteAheadLog(connection)
        connection.pragma('synchronous = FULL')
        // Tables are rebuilt by dropping them: outside of the transaction, where this has no effect any more.
        connection.pragma('foreign_keys = OFF')
        const [next] = pendingAfter(appliedMigrations(connection, migrations))
        const backup = next && backUp(connection, next)
        const applied: string[] = []
        for (let name = applyNext(connection); name; name = applyNext(connection)) applied.push(name)
        return { applied, backup }
      })
    },
  }
}
