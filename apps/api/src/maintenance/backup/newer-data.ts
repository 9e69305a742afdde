import Sqlite, { type Database } from 'better-sqlite3'
import { holdsData } from '../../db/migration-history.ts'

/** What restoring over a database would lose. */
export type Loss = 'nothing' | 'changes' | 'unknown'

/**
 * What a restore renews or ends, what the schema says of itself, and the audit log: it tells of logins and of reading as well, and a
 * restore notes where the one ended that it replaced.
 */
const aside = new Set(['AuditEntry', 'AuditHead', 'Deployment', 'Session', '_prisma_migrations'])

/** Tables of which `Revision` counts the changes. */
const counted = new Set(['Workspace', 'ApiKey', 'ApiKeyItem', 'Item', 'ItemChange', 'Purchase', 'Revision'])

const schemaOf = (database: Database, name: 'main' | 'backup') =>
  database
    .prepare(
      `SELECT name, sql FROM ${name}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all() as { name: string; sql: string }[]

/** Another program's file may hold anything. */
const isOursOrEmpty = (database: Database) => {
  const names = schemaOf(database, 'main').map(({ name }) => name)
  return names.length === 0 || names.includes('_prisma_migrations')
}

const exists = (database: Database, query: string) =>
  database.prepare(`SELECT EXISTS (${query})`).pluck().get() === 1

const rowsOnlyIn = (database: Database, one: string, other: string, table: string) =>
  exists(database, `SELECT * FROM ${one}."${table}" EXCEPT SELECT * FROM ${other}."${table}"`)

/** Changes of workspaces that came after the backup: whoever changes one counts it. */
const hasLaterRevisions = (database: Database) =>
  exists(
    database,
    `SELECT 1 FROM main.Revision c LEFT JOIN backup.Revision b ON b.workspaceId = c.workspaceId
     WHERE b.workspaceId IS NULL OR c.access > b.access OR c.catalogue > b.catalogue OR c.sales > b.sales`,
  )

const identityIn = (database: Database, name: 'main' | 'backup') =>
  database.prepare(`SELECT identity FROM ${name}.Deployment WHERE id = 1`).pluck().get()

function compare(database: Database): Loss {
  const tables = schemaOf(database, 'main')
  if (JSON.stringify(tables) !== JSON.stringify(schemaOf(database, 'backup'))) return 'unknown'
  const names = tables.map(({ name }) => name).filter((name) => !aside.has(name))
  if (!names.includes('Revision')) return 'unknown'
  if (hasLaterRevisions(database)) return 'changes'
  // Two databases of one identity are one database at two times. Of others only equal ones are known to lose nothing.
  const sameIdentity = identityIn(database, 'main') === identityIn(database, 'backup')
  const lost = names
    .filter((name) => !(sameIdentity && counted.has(name)))
    .some(
      (name) =>
        rowsOnlyIn(database, 'main', 'backup', name) ||
        (!sameIdentity && rowsOnlyIn(database, 'backup', 'main', name)),
    )
  return lost ? 'changes' : 'nothing'
}

/** What a database, opened by the caller, holds that a backup of it does not. */
export function lossOf(database: Database, backup: string): Loss {
  if (!isOursOrEmpty(database)) return 'unknown'
  if (!holdsData(database)) return 'nothing'
  database.prepare('ATTACH ? AS backup').run(backup)
  try {
    return compare(database)
  } finally {
    database.exec('DETACH backup')
  }
}

/** Opens a database that no other process has open, by any program; undefined where one has. */
export function openAlone(file: string): Database | undefined {
  const database = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN IMMEDIATE; COMMIT')
    return database
  } catch (error) {
    database.close()
    if (String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}
