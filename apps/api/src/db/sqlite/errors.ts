import { DatabaseError, fromSystem, type KindsByReason, kindOfReason } from '../errors.ts'

// Extended codes, such as SQLITE_BUSY_SNAPSHOT, begin with the plain one.
const kinds: KindsByReason = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  // The index of the log has no room.
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_READONLY', 'not_writable'],
  ['SQLITE_CANTOPEN', 'cannot_open'],
  ['SQLITE_PERM', 'cannot_open'],
  ['SQLITE_IOERR', 'io'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'not_a_database'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'conflict'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'conflict'],
]

interface DriverError extends Error {
  code?: string
  /** Set on the error that Prisma's adapter makes from one of the driver. */
  cause?: { originalCode?: string }
}

// By name: neither is loaded for this.
const isDriverError = (error: unknown): error is DriverError =>
  error instanceof Error && (error.name === 'SqliteError' || error.name === 'DriverAdapterError')

/** An error of SQLite as a `DatabaseError`; any other error as it is. */
export function fromSqlite(error: unknown): unknown {
  const code = isDriverError(error) ? (error.cause?.originalCode ?? error.code) : undefined
  return code === undefined ? error : new DatabaseError(kindOfReason(kinds, code), code, error)
}

/** The files of the database are not as SQLite left them: nothing may be read, and a write may be lost. */
export const databaseFileLost = () => new DatabaseError('file_lost', 'DATABASE_LOST')

/** Runs what uses an SQLite file, and throws errors of SQLite and of its files as `DatabaseError`s. */
export function sqliteErrors<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw fromSystem(fromSqlite(error))
  }
}
