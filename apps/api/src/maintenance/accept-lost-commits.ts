import { findLostCommits, recordCommit } from '../db/sqlite/commit-record.ts'
import { runSql, withSqlite } from '../db/sqlite/connection.ts'
import { auditStatement } from '../domain/audit-log.ts'

/** Records that the service goes on without changes that it had confirmed. */
export function acceptLostCommits(databaseFile: string, clock: () => Date) {
  const lost = findLostCommits(databaseFile)
  if (!lost) return
  withSqlite(databaseFile, (connection) => {
    connection.pragma('synchronous = FULL')
    const subject = `entries ${lost.entries}`
    runSql(connection, ...auditStatement({ at: clock(), action: 'writes.lost', actor: 'cli', subject }))
    recordCommit(databaseFile, connection)
  })
}
