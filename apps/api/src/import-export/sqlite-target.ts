import { setImmediate } from 'node:timers/promises'
import { createSql, transactOn } from '../db/sql.ts'
import { createCommitRecord } from '../db/sqlite/commit-record.ts'
import { runSql, type SqliteConnection, withSqlite } from '../db/sqlite/connection.ts'
import { fromSqlite } from '../db/sqlite/errors.ts'
import { recordTables, recordTypes } from '../records/tables.ts'
import { sqlite } from './dialect.ts'
import { createStagingWriter, openWithStaging } from './staging.ts'
import type { ImportTarget } from './target.ts'

interface SqliteTarget {
  databaseFile: string
  signal?: AbortSignal | undefined
}

const dataVersion = (db: SqliteConnection) => Number(db.pragma('main.data_version', { simple: true }))

/** Another connection for the stored hash: reading it through the first would hold a snapshot while the file is read. */
const storedHash = (databaseFile: string, username: string) =>
  withSqlite(databaseFile, (connection) =>
    connection
      .prepare<[string], string | null>('SELECT passwordHash FROM Account WHERE username = ?')
      .pluck()
      .get(username),
  ) ?? undefined

function createTarget(db: SqliteConnection, { databaseFile, signal }: SqliteTarget): ImportTarget {
  const sql = createSql(async (...statement) => {
    // The thread hears of an abort between its statements alone.
    await setImmediate()
    signal?.throwIfAborted()
    return runSql(db, ...statement)
  })
  return {
    dialect: sqlite,
    writer: createStagingWriter(db),
    storedHash: (username) => storedHash(databaseFile, username),
    async check(check) {
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
  const { db, close } = openWithStaging(options.databaseFile)
  try {
    return await act(createTarget(db, options))
  } catch (error) {
    throw fromSqlite(error)
  } finally {
    close()
  }
}
