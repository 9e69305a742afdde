import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { errorCode } from '../../error-code.ts'
import { newId } from '../../ids.ts'
import { usageFilePath } from '../location.ts'
import { MigrationError } from '../migration-error.ts'
import {
  appliedMigrations,
  applyMigration,
  holdsData,
  type Migration,
  readMigrations,
} from '../migration-history.ts'

interface MigratorOptions {
  /** The SQLite file. */
  file: string
  /** Migrations in Prisma's layout. */
  folder: string
  clock: () => Date
}

/** How long to wait for another process that migrates. */
const lockTimeoutMs = 15_000

function syncToDisk(path: string) {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** What is beside a database only when it was used. */
const tracesOf = (file: string) => [`${file}-wal`, usageFilePath(file)].filter((trace) => existsSync(trace))

/**
 * Made by us and not by SQLite, so that nobody else can read it. Not where one is gone: a service on an empty one would refuse every key,
 * and SQLite would delete the log, which may hold the last that was confirmed.
 */
function createFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (existsSync(file)) return
  const traces = tracesOf(file)
  if (traces.length)
    throw new MigrationError(
      'missing',
      `the database ${file} is missing, and what belongs to it is there: put it back or restore a backup; or remove ${traces.join(' and ')} to begin with an empty one`,
    )
  closeSync(openSync(file, 'a', 0o600))
}

/**
 * A file that is new is switched to its journal once. SQLite refuses that at once where another process holds the write lock, whatever
 * its timeout: of two processes that start on a new file one would fail.
 */
function useWriteAheadLog(database: Database) {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (errorCode(error) !== 'SQLITE_BUSY' || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

const messages = {
  EISDIR: 'is a folder: set DATABASE_URL to a file',
  SQLITE_NOTADB: 'is not an SQLite database: set DATABASE_URL to another file',
  SQLITE_CORRUPT: 'is damaged: restore a backup',
  SQLITE_CANTOPEN: 'cannot be opened: check that its folder exists and may be written by this user',
  SQLITE_READONLY: 'may not be written by this user: change its permissions',
  SQLITE_FULL: 'has no room to grow: make room on its disk',
  SQLITE_IOERR: 'cannot be read or written: check its disk',
  SQLITE_BUSY: 'is locked by another process: wait until it is done',
} as const

const unreadable = (file: string, message: string, cause: unknown) =>
  new MigrationError('unreadable', `the database ${file} ${message}`, cause)

function explain(error: unknown, file: string): unknown {
  if (error instanceof MigrationError) return error
  if (existsSync(file) && statSync(file).isDirectory()) return unreadable(file, messages.EISDIR, error)
  const code = errorCode(error)
  const known = (Object.keys(messages) as (keyof typeof messages)[]).find((prefix) => code.startsWith(prefix))
  if (known)
    return known === 'SQLITE_BUSY'
      ? new MigrationError('locked', `the database ${file} ${messages[known]}`, error)
      : unreadable(file, messages[known], error)
  if (['EACCES', 'ENOENT', 'EROFS', 'ENOTDIR'].includes(code))
    return unreadable(file, `cannot be opened (${code}): check its folder and permissions`, error)
  return error
}

/** Refuses a file that a service could only read: it would find that out with the first sale. */
export function requireWritable(file: string) {
  try {
    accessSync(file, constants.W_OK)
  } catch (error) {
    throw unreadable(file, messages.SQLITE_READONLY, error)
  }
}

/**
 * Brings the embedded database to the schema of this build. Each migration is one transaction, and whoever migrates holds the write
 * lock: a second process waits and then finds nothing left to do. Prisma's own engine is not needed for that.
 */
export function createMigrator({ file, folder, clock }: MigratorOptions) {
  const migrations = readMigrations(folder)

  function open<T>(act: (database: Database) => T): T {
    try {
      const database = new Sqlite(file, { timeout: lockTimeoutMs })
      try {
        return act(database)
      } finally {
        database.close()
      }
    } catch (error) {
      throw explain(error, file)
    }
  }

  function status() {
    const applied = existsSync(file) ? open((database) => appliedMigrations(database, migrations)) : []
    return { applied, pending: migrations.map(({ name }) => name).filter((name) => !applied.includes(name)) }
  }

  /** Copies a database that holds data, before it is changed; gives the path of the copy. */
  function backUp(database: Database, next: Migration): string | undefined {
    if (!holdsData(database)) return undefined
    const copy = `${file}.before-${next.name}-${clock().toISOString().replace(/\D/g, '').slice(0, 17)}`
    // It gets its name when it is whole, so that nobody ever restores half a copy.
    const draft = `${copy}.${newId()}`
    try {
      closeSync(openSync(draft, 'wx', 0o600))
      database.prepare('VACUUM INTO ?').run(draft)
      syncToDisk(draft)
      renameSync(draft, copy)
    } finally {
      rmSync(draft, { force: true })
    }
    syncToDisk(dirname(copy))
    return copy
  }

  /** Applies one pending migration, if there is one still when the lock is held. */
  function applyNext(database: Database): string | undefined {
    database.exec('BEGIN IMMEDIATE')
    try {
      const applied = appliedMigrations(database, migrations)
      const next = migrations.find(({ name }) => !applied.includes(name))
      if (next) applyMigration(database, next, clock())
      database.exec('COMMIT')
      return next?.name
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    status,

    /** Applies everything that is pending. Gives what was applied, and where the database was copied to before. */
    apply(): { applied: string[]; backup: string | undefined } {
      try {
        createFile(file)
      } catch (error) {
        throw explain(error, file)
      }
      return open((database) => {
        useWriteAheadLog(database)
        database.pragma('synchronous = FULL')
        // Tables are rebuilt by dropping them: outside of the transaction, where this has no effect any more.
        database.pragma('foreign_keys = OFF')
        const done = appliedMigrations(database, migrations)
        const next = migrations.find(({ name }) => !done.includes(name))
        const backup = next && backUp(database, next)
        const applied: string[] = []
        for (let name = applyNext(database); name; name = applyNext(database)) applied.push(name)
        return { applied, backup }
      })
    },
  }
}
