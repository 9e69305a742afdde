import type { Database } from 'better-sqlite3'
import { type KeyUseRow, lastUsesOf } from './key-use-rows.ts'
import type { KeyUse } from './usage-store.ts'

const table =
  'CREATE TABLE IF NOT EXISTS KeyUse (keyId TEXT NOT NULL PRIMARY KEY, lastUsedAt INTEGER NOT NULL, operation TEXT, client TEXT)'

/** A file of before it was kept who used a key has a table without. */
function addColumns(database: Database) {
  const column = database.prepare("SELECT 1 FROM pragma_table_info('KeyUse') WHERE name = 'client'")
  if (column.get()) return
  const add = database.transaction(() => {
    if (column.get()) return
    database.exec('ALTER TABLE KeyUse ADD COLUMN operation TEXT; ALTER TABLE KeyUse ADD COLUMN client TEXT')
  })
  add.immediate()
}

/** When each key was used last, and by what. */
export function createKeyUseTable(database: Database) {
  database.exec(table)
  addColumns(database)
  const note = database.prepare(
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
    noteKeyUse: database.transaction((uses: ReadonlyMap<string, KeyUse>) => {
      for (const [keyId, { at, operation, client }] of uses) note.run(keyId, at, operation, client)
    }),
    lastUses: (keyIds?: readonly string[]) =>
      lastUsesOf(keyIds ? some.all(JSON.stringify(keyIds)) : all.all()),
  }
}
