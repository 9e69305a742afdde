import type { OperationName } from '@saleproof/schema'
import type { Database } from 'better-sqlite3'
import type { KeyUse, LastUses } from './usage-store.ts'

const table =
  'CREATE TABLE IF NOT EXISTS KeyUse (keyId TEXT NOT NULL PRIMARY KEY, lastUsedAt INTEGER NOT NULL, operation TEXT, client TEXT)'

/** `operation` and `client` are null for uses from before they were stored. */
export interface KeyUseRow {
  keyId: string
  lastUsedAt: number | string
  operation: OperationName | null
  client: string | null
}

export const lastUsesOf = (rows: readonly KeyUseRow[]): LastUses =>
  new Map(
    rows.map(({ keyId, lastUsedAt, operation, client }) => [
      keyId,
      { at: new Date(Number(lastUsedAt)), by: operation && { operation, client: client ?? '' } },
    ]),
  )

/** Upgrades a file from before `operation` and `client` were stored. */
function addColumns(database: Database) {
  const column = database.prepare("SELECT 1 FROM pragma_table_info('KeyUse') WHERE name = 'client'")
  if (column.get()) return
  const add = database.transaction(() => {
    if (column.get()) return
    database.exec('ALTER TABLE KeyUse ADD COLUMN operation TEXT; ALTER TABLE KeyUse ADD COLUMN client TEXT')
  })
  add.immediate()
}

/** The last use of each key. */
export function createKeyUseTable(database: Database) {
  database.exec(table)
  addColumns(database)
  const upsert = database.prepare(
    `INSERT INTO KeyUse (keyId, lastUsedAt, operation, client) VALUES (?, ?, ?, ?)
     ON CONFLICT (keyId) DO UPDATE
     SET lastUsedAt = excluded.lastUsedAt, operation = excluded.operation, client = excluded.client
     WHERE excluded.lastUsedAt >= lastUsedAt`,
  )
  const read = 'SELECT keyId, lastUsedAt, operation, client FROM KeyUse'
  const all = database.prepare<[], KeyUseRow>(read)
  const some = database.prepare<[string], KeyUseRow>(
    `${read} WHERE keyId IN (SELECT value FROM json_each(?))`,
  )
  return {
    recordKeyUse: database.transaction((uses: ReadonlyMap<string, KeyUse>) => {
      for (const [keyId, { at, operation, client }] of uses) upsert.run(keyId, at, operation, client)
    }),
    lastUses: (keyIds?: readonly string[]) =>
      lastUsesOf(keyIds ? some.all(JSON.stringify(keyIds)) : all.all()),
  }
}
