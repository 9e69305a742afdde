import { closeSync, openSync, rmSync } from 'node:fs'
import { openConnection, type SqliteConnection } from '../db/sqlite/connection.ts'
import { sqliteErrors } from '../db/sqlite/errors.ts'
import { errorCode } from '../error-code.ts'
import { newId } from '../ids.ts'
import { byType } from '../records/tables.ts'
import { sqlite } from './dialect.ts'
import { createStaging, insertStaged } from './staged.ts'
import type { StagingWriter } from './target.ts'

const isOpenElsewhere = (error: unknown) => ['EBUSY', 'EPERM'].includes(errorCode(error))

/** Unlinked while it is open, the file is gone even after a kill -9. Windows takes that only after it is closed. */
function unlink(file: string) {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    if (!isOpenElsewhere(error)) throw error
  }
}

// OFF would be less work, but the driver opens databases in SQLite's defensive mode, which ignores it: a file would be used.
const stagingPragmas = [
  'journal_mode = MEMORY',
  'synchronous = OFF',
  'cache_size = -16384',
  'locking_mode = EXCLUSIVE',
]
const databasePragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'cache_size = -49152',
  'foreign_keys = ON',
]

/**
 * Opens the database with an empty staging database attached to it: a file beside it, on the same disk, that no other user
 * may read. It is never synced and its journal is in memory, because nothing of it is kept.
 */
export const openWithStaging = (databaseFile: string) => sqliteErrors(() => open(databaseFile))

function open(databaseFile: string) {
  const db = openConnection(databaseFile)
  const file = `${databaseFile}.import-${newId()}`
  const close = () => {
    db.close()
    unlink(file)
  }
  try {
    closeSync(openSync(file, 'wx', 0o600))
    db.prepare('ATTACH ? AS staging').run(file)
    for (const pragma of stagingPragmas) db.pragma(`staging.${pragma}`)
    for (const pragma of databasePragmas) db.pragma(`main.${pragma}`)
    for (const sql of createStaging(sqlite)) db.exec(sql)
    unlink(file)
  } catch (error) {
    close()
    throw error
  }
  return { db, close }
}

/** Writes rows into staging. Everything between `begin` and `end` is one transaction that locks nothing but staging. */
export function createStagingWriter(db: SqliteConnection): StagingWriter {
  const statements = byType((type) => db.prepare(insertStaged(sqlite, type, () => '?')))
  return {
    begin: () => void db.exec('BEGIN'),
    end: () => void db.exec('COMMIT'),
    flushIfNeeded: () => undefined,
    add: (type, line, row) => void statements[type].run(line, ...row),
  }
}
