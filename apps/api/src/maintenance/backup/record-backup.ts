import { runSql, withSqlite } from '../../db/sqlite/connection.ts'
import { auditStatement } from '../../domain/audit-log.ts'

/**
 * Records a backup before it is made, so that the backup holds the record too. Gives false where that is impossible: a backup is needed
 * most where the disk is full or the schema is another one.
 */
export function recordBackup(databaseFile: string, clock: () => Date): boolean {
  try {
    withSqlite(databaseFile, (connection) => {
      connection.pragma('synchronous = FULL')
      runSql(connection, ...auditStatement({ at: clock(), action: 'backup', actor: 'cli' }))
    })
    return true
  } catch {
    return false
  }
}
