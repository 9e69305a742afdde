import { readDeployment } from '../../db/deployment.ts'
import type { Sql } from '../../db/sql.ts'
import { withFile } from '../../db/sqlite/file.ts'

/** What restoring over a database would lose. */
export type DataLoss = 'nothing' | 'changes' | 'unknown'

/** The last number that a table with numbers of its own has given. It stays when rows are removed. */
export async function lastNumber({ query }: Sql, table: 'AuditEntry' | 'Workspace'): Promise<number> {
  const [row] = await query<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = $1', table)
  return row?.seq ?? 0
}

/** Whatever changes data adds an entry to the audit log. */
const readState = async (sql: Sql) => ({
  identity: (await readDeployment(sql))?.identity,
  entry: await lastNumber(sql, 'AuditEntry'),
})

/** What a database holds that a backup of it does not. */
export async function compareWithBackup(sql: Sql, backup: string): Promise<DataLoss> {
  const tables = await sql.query<{ name: string }>('SELECT name FROM sqlite_master')
  if (tables.length === 0) return 'nothing'
  const isOurs = ['_prisma_migrations', 'Account', 'Deployment'].every((name) =>
    tables.some((table) => table.name === name),
  )
  if (!isOurs) return 'unknown'
  if ((await sql.query('SELECT 1 FROM "Account" LIMIT 1')).length === 0) return 'nothing'
  const [found, backedUp] = [await readState(sql), await withFile(backup, readState)]
  // Two databases of one identity are one database at two times.
  if (found.identity !== backedUp.identity) return 'unknown'
  return found.entry > backedUp.entry ? 'changes' : 'nothing'
}
