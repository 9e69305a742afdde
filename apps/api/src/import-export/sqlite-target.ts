import { appendAuditTo } from '../audit/append-to-file.ts'
import type { AuditSealer } from '../audit/chain.ts'
import { withSqlite } from '../db/sqlite/connection.ts'
import { fromSqlite } from '../db/sqlite/errors.ts'
import { checkStaged, copyChecked } from './check.ts'
import { sqlite } from './dialect.ts'
import { stagedIdentities } from './duplicates.ts'
import { type Row, runSteps, type SqlSteps } from './sql-steps.ts'
import { createStagingWriter, openWithStaging, type StagedDatabase } from './staging.ts'
import type { ImportTarget } from './target.ts'
import { createPlannedViews, createUpserts } from './upserts.ts'

interface SqliteTarget {
  databaseFile: string
  vault: AuditSealer
  throwIfAborted?: (() => void) | undefined
}

const upserts = createUpserts(sqlite)

function run(db: StagedDatabase, sql: string): readonly Row[] {
  const statement = db.prepare<[], Row>(sql)
  if (statement.reader) return statement.all()
  statement.run()
  return []
}

const dataVersion = (db: StagedDatabase) => Number(db.pragma('main.data_version', { simple: true }))

/** Another connection for the stored hash: reading it through the first would hold a snapshot while the file is read. */
const storedHash = (databaseFile: string, username: string) =>
  withSqlite(databaseFile, (connection) =>
    connection
      .prepare<[string], string | null>('SELECT passwordHash FROM Account WHERE username = ?')
      .pluck()
      .get(username),
  ) ?? undefined

function createTarget(
  db: StagedDatabase,
  { databaseFile, vault, throwIfAborted }: SqliteTarget,
): ImportTarget {
  const step = (sql: string) => {
    throwIfAborted?.()
    return run(db, sql)
  }
  const now = <Result>(steps: SqlSteps<Result>) => runSteps(steps, step)
  const stagedHash = db
    .prepare<[string], string>(
      `SELECT passwordHash FROM staging.account WHERE username = ? AND passwordHash LIKE '$%' LIMIT 1`,
    )
    .pluck()
  return {
    writer: createStagingWriter(db),
    passwords: {
      staged: (username) => stagedHash.get(username),
      stored: (username) => storedHash(databaseFile, username),
    },
    async check(findings) {
      const { warningCount } = findings.warnings()
      for (const { type, column } of stagedIdentities)
        db.exec(`CREATE INDEX staging.${type}_identity ON ${type} ("${column}")`)
      now(createPlannedViews(sqlite, upserts))
      return db.transaction(() => {
        const counts = now(checkStaged(sqlite, findings))
        return { counts, version: dataVersion(db), warningCount }
      })()
    },
    /** The write lock is held for the copy alone, unless the database was written after the check. */
    async copy(checked, { findings, actor, at }) {
      return db
        .transaction(() => {
          const unchanged = dataVersion(db) === checked.version
          const copied = now(copyChecked({ dialect: sqlite, upserts, findings, checked, unchanged }))
          const { counts, events } = copied
          if (events.length)
            appendAuditTo(
              db,
              events.map((event) => ({ at, actor, ...event })),
              vault,
            )
          throwIfAborted?.()
          return counts
        })
        .immediate()
    },
  }
}

export async function withSqliteTarget<Result>(
  options: SqliteTarget,
  act: (target: ImportTarget) => Promise<Result>,
): Promise<Result> {
  const { db, close } = openWithStaging(options)
  try {
    return await act(createTarget(db, options))
  } catch (error) {
    throw fromSqlite(error)
  } finally {
    close()
  }
}
