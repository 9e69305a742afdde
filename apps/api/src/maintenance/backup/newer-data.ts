import { holdsData } from '../../db/migration-history.ts'
import type { SqliteConnection } from '../../db/sqlite/connection.ts'

/** What restoring over a database would lose. */
export type DataLoss = 'nothing' | 'changes' | 'unknown'

/** Tables whose changes are no loss: a restore renews or ends them, or records itself in them. */
const ignored = new Set(['AuditEntry', 'Deployment', 'ResetLink', 'Session', '_prisma_migrations'])

/** Tables of which `Revision` counts the changes; a purchase changes together with all that is named after it. */
const counted = new Set([
  'Workspace',
  'ApiKey',
  'SigningKey',
  'ApiKeyItem',
  'Item',
  'ItemChange',
  'Purchase',
  'PurchaseChange',
  'PurchaseWord',
  'Revision',
  'SalesTotal',
])

const schemaOf = (connection: SqliteConnection, name: 'main' | 'backup') =>
  connection
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM ${name}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()

const isOursOrEmpty = (connection: SqliteConnection) => {
  const names = schemaOf(connection, 'main').map(({ name }) => name)
  return names.length === 0 || names.includes('_prisma_migrations')
}

const exists = (connection: SqliteConnection, query: string) =>
  connection.prepare(`SELECT EXISTS (${query})`).pluck().get() === 1

const rowsOnlyIn = (connection: SqliteConnection, one: string, other: string, table: string) =>
  exists(connection, `SELECT * FROM ${one}."${table}" EXCEPT SELECT * FROM ${other}."${table}"`)

/** Changes of workspaces after the backup, as triggers count them. */
const hasLaterRevisions = (connection: SqliteConnection) =>
  exists(
    connection,
    `SELECT 1 FROM main.Revision c LEFT JOIN backup.Revision b ON b.workspaceId = c.workspaceId
     WHERE b.workspaceId IS NULL OR c.access > b.access OR c.catalogue > b.catalogue OR c.sales > b.sales`,
  )

const identityIn = (connection: SqliteConnection, name: 'main' | 'backup') =>
  connection.prepare(`SELECT identity FROM ${name}.Deployment WHERE id = 1`).pluck().get()

function compare(connection: SqliteConnection): DataLoss {
  const tables = schemaOf(connection, 'main')
  if (JSON.stringify(tables) !== JSON.stringify(schemaOf(connection, 'backup'))) return 'unknown'
  const names = tables.map(({ name }) => name).filter((name) => !ignored.has(name))
  if (!names.includes('Revision')) return 'unknown'
  if (hasLaterRevisions(connection)) return 'changes'
  // Two databases of one identity are one database at two times. Of others only equal ones are known to lose nothing.
  const sameIdentity = identityIn(connection, 'main') === identityIn(connection, 'backup')
  const lost = names
    .filter((name) => !(sameIdentity && counted.has(name)))
    .some(
      (name) =>
        rowsOnlyIn(connection, 'main', 'backup', name) ||
        (!sameIdentity && rowsOnlyIn(connection, 'backup', 'main', name)),
    )
  return lost ? 'changes' : 'nothing'
}

/** What a database holds that a backup of it does not. */
export function compareWithBackup(connection: SqliteConnection, backup: string): DataLoss {
  if (!isOursOrEmpty(connection)) return 'unknown'
  if (!holdsData(connection)) return 'nothing'
  connection.prepare('ATTACH ? AS backup').run(backup)
  try {
    return compare(connection)
  } finally {
    connection.exec('DETACH backup')
  }
}
