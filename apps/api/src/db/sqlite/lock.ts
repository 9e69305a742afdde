import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { giveToOwner } from '../../files.ts'
import { UserError } from '../../user-error.ts'
import { isBusy } from '../errors.ts'
import { findForeignChanges, forgetRecord, refuse } from './checkpoint-record.ts'
import { openConnection, type SqliteConnection } from './connection.ts'
import { sqliteErrors } from './errors.ts'
import { explained } from './explained.ts'

/** An empty file beside the database, because a restore replaces the database itself. */
export const lockFile = (databaseFile: string) => `${databaseFile}.lock`

/** How long to wait for a restore to end. */
const waitMs = 5000

/** Opens a file and takes a lock in it; undefined where another process has one. */
function openLocked(file: string, timeoutMs: number, statements: string): SqliteConnection | undefined {
  const connection = openConnection(file, { timeoutMs })
  try {
    sqliteErrors(() => connection.exec(statements))
    return connection
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/** The locks are SQLite's, and so those of the system: they end with the process, however it ends. */
const lock = (databaseFile: string, timeoutMs: number, statements: string) =>
  explained(databaseFile, () => {
    const file = lockFile(databaseFile)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600))
      giveToOwner(file, databaseFile)
    }
    const connection = openLocked(file, timeoutMs, statements)
    return connection && { release: () => void connection.close() }
  })

/** Shared lock of every process that uses the database: keeps a restore from replacing it. */
export function lockShared(databaseFile: string): { release: () => void } {
  const alone = lock(databaseFile, 0, 'BEGIN EXCLUSIVE')
  try {
    refuse(findForeignChanges(databaseFile))
    // From now on no record covers what this process writes, unless it serves.
    if (alone) forgetRecord(databaseFile)
  } finally {
    alone?.release()
  }
  const held = lock(databaseFile, waitMs, 'BEGIN; SELECT 1 FROM sqlite_master')
  if (held) return held
  throw new UserError(`a backup is being restored to ${databaseFile}: wait until that is done`)
}

/** Exclusive lock of a restore: refused while any process of ours uses the database, and none starts until it is released. */
export function lockExclusive(databaseFile: string, { toReplace = false } = {}): { release: () => void } {
  const taken = lock(databaseFile, 0, 'BEGIN EXCLUSIVE')
  if (!taken)
    throw new UserError(
      `the database ${databaseFile} is in use: stop "saleproof serve" and every other command first`,
    )
  try {
    if (toReplace) return taken
    refuse(findForeignChanges(databaseFile))
    forgetRecord(databaseFile)
    return taken
  } catch (error) {
    taken.release()
    throw error
  }
}

/** Lock of the one process that makes a checkpoint, beside the shared ones; undefined where another has it. */
export const lockCheckpoints = (databaseFile: string) => lock(databaseFile, 0, 'BEGIN IMMEDIATE')

/** Opens a database that no other process has open, whichever program it runs. */
export function openExclusively(file: string): SqliteConnection {
  const connection = openLocked(file, 0, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
  if (connection) return connection
  throw new UserError(`the database ${file} is open in another program: close that first`)
}
