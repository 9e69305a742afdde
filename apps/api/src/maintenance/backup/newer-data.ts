import { hasTable, type SqliteConnection, withSqlite } from '../../db/sqlite/connection.ts'
import { readDeployment } from '../../db/sqlite/deployment.ts'
import { holdsData } from '../../db/sqlite/migrate.ts'

/** What restoring over a database would lose. */
export type DataLoss = 'nothing' | 'changes' | 'unknown'

/** Whatever changes data adds an entry to the audit log. The number of the last one stays when entries are removed. */
const stateOf = (connection: SqliteConnection) => ({
  identity: readDeployment(connection)?.identity,
  entry: Number(
    connection.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'AuditEntry'`).pluck().get() ?? 0,
  ),
})

/** What a database holds that a backup of it does not. */
export function compareWithBackup(connection: SqliteConnection, backup: string): DataLoss {
  const isEmpty = connection.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined
  if (!isEmpty && !hasTable(connection, '_prisma_migrations')) return 'unknown'
  if (!holdsData(connection)) return 'nothing'
  const [found, backedUp] = [stateOf(connection), withSqlite(backup, stateOf)]
  // Two databases of one identity are one database at two times.
  if (found.identity !== backedUp.identity) return 'unknown'
  return found.entry > backedUp.entry ? 'changes' : 'nothing'
}
