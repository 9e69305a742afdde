import { closeSync, openSync, rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { createSql, transactOn } from '../db/sql.ts'
import { createCommitRecord } from '../db/sqlite/commit-record.ts'
import { openConnection, runSql, type SqliteConnection } from '../db/sqlite/connection.ts'
import { fromSqlite, sqliteErrors } from '../db/sqlite/errors.ts'
import { withFile } from '../db/sqlite/file.ts'
import { errorCode } from '../error-code.ts'
import { newId } from '../ids.ts'
import { byType, recordTables, recordTypes } from '../records/tables.ts'
import { sqlite } from './dialect.ts'
import { createStaging, insertStaged } from './staged.ts'
import { type ImportTarget, readHash } from './target.ts'

interface SqliteTarget {
  databaseFile: string
  signal?: AbortSignal | undefined
}

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
function openWithStaging(databaseFile: string) {
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

const dataVersion = (db: SqliteConnection) => Number(db.pragma('main.data_version', { simple: true }))

function createTarget(db: SqliteConnection, { databaseFile, signal }: SqliteTarget): ImportTarget {
  const statements = byType((type) => db.prepare(insertStaged(sqlite, type, () => '?')))
  const sql = createSql(async (...statement) => {
    // The thread hears of an abort between its statements alone.
    await setImmediate()
    signal?.throwIfAborted()
    return runSql(db, ...statement)
  })
  // It covers staging alone, up to the check.
  db.exec('BEGIN')
  return {
    dialect: sqlite,
    stage: (type, line, row) => void statements[type].run(line, ...row),
    // On another connection: reading it through this one would hold a snapshot while the file is read.
    storedHash: (username) => withFile(databaseFile, (file) => readHash(file, username)),
    async check(check) {
      db.exec('COMMIT')
      for (const type of recordTypes)
        db.exec(`CREATE INDEX staging.${type}_identity ON ${type} ("${recordTables[type].identity.column}")`)
      return transactOn(sql, async () => ({ result: await check(sql), version: dataVersion(db) }), 'BEGIN')
    },
    async copy(copy) {
      const commits = createCommitRecord(databaseFile, db)
      const result = await transactOn(sql, () => copy(sql, dataVersion(db)))
      commits.update()
      commits.close()
      return result
    },
  }
}

export async function withSqliteTarget<Result>(
  options: SqliteTarget,
  act: (target: ImportTarget) => Promise<Result>,
): Promise<Result> {
  const { db, close } = sqliteErrors(() => openWithStaging(options.databaseFile))
  try {
    return await act(createTarget(db, options))
  } catch (error) {
    throw fromSqlite(error)
  } finally {
    close()
  }
}
