import { readSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { databaseFileLost } from '../../db/sqlite/errors.ts'

/** The part of the index of the log that changes with every commit: https://www.sqlite.org/walformat.html#the_wal_index_header */
const headerLength = 48

/** Reads of one turn of the event loop share a snapshot: to lock and unlock the database for each costs as much as half of the read. */
function createSnapshot(database: Database) {
  const begin = database.prepare('BEGIN')
  const rollback = database.prepare('ROLLBACK')
  let isOpen = false
  let opened = 0

  function release() {
    if (!isOpen) return
    isOpen = false
    if (database.inTransaction) rollback.run()
  }

  return {
    open() {
      if (isOpen) return
      begin.run()
      isOpen = true
      opened++
      // One that stayed open would keep the log from being moved into the database.
      setImmediate(release)
    },
    release,
    opened: () => opened,
  }
}

/**
 * The state of the database that is read. Its version is a number that changes when another connection, of this process or another, has committed. `PRAGMA data_version` is that number, but
 * takes and drops a lock each time, so it is read only when the header of the log's index has changed. The header is read first: a commit
 * in between is found by the next read. The connection must never write: its own commits would not show.
 */
export function createVersion(database: Database, logIndex: () => number | undefined) {
  const snapshot = createSnapshot(database)
  const pragma = database.prepare<[], number>('PRAGMA data_version').pluck()
  const read = () => Number(pragma.get())
  let version = read()
  // Exists from the first read on while a connection is open; without it the pragma is read each time.
  const index = logIndex()
  const header = Buffer.alloc(headerLength)
  const seen = Buffer.alloc(headerLength, 255)

  function isUnchanged(descriptor: number): boolean {
    // SQLite would crash the process when it reads an index that was truncated.
    if (readSync(descriptor, header, 0, headerLength, 0) !== headerLength) throw databaseFileLost()
    if (header.equals(seen)) return true
    header.copy(seen)
    return false
  }

  return {
    /** As of the last commit. What is read next is of this version or, where no snapshot is open, of a later one. */
    current(): number {
      if (index !== undefined && isUnchanged(index)) return version
      snapshot.release()
      version = read()
      return version
    },
    snapshot,
  }
}
