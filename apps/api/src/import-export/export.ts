import type { KeyVault } from '../crypto/key-vault.ts'
import type { Transact } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import { type StoredRow, selectFields, serializeRecord } from '../records/json.ts'
import { type RecordType, recordTables, recordTypes } from '../records/tables.ts'

interface ExportedDatabase {
  database: { transact: Transact<Sql> }
  /** Decrypts the keys: they are written in clear. */
  vault: Pick<KeyVault, 'open'>
}

const pieceLength = 64 * 1024

/** How many rows are read at once. */
const batch = 500

function exportQuery(type: RecordType, ...conditions: string[]): string {
  const { exported } = recordTables[type]
  const columns = [
    selectFields(recordTables[type]),
    ...Object.entries(exported.columns ?? {}).map(([name, select]) => `${select} AS "${name}"`),
  ]
  const where = conditions.length ? `WHERE ${conditions.join(' AND ')}` : ''
  return `SELECT ${columns.join(', ')} FROM ${exported.from} ${where} ORDER BY ${exported.orderBy}`
}

/** Keys with the same name are in the order of the keys: ids and hashes differ between deployments. */
async function readKeys(sql: Sql, vault: ExportedDatabase['vault']) {
  function open(cipher: unknown, hash: unknown) {
    if (!(cipher instanceof Uint8Array)) throw new TypeError('a key is not stored as bytes')
    return vault.open(cipher, String(hash))
  }
  const stored = await sql.query<StoredRow & { workspace: string; name: string }>(exportQuery('api_key'))
  const rows = stored.map((row) => ({
    ...row,
    key: open(row.keyCipher, row.keyHash),
    replaces: row.replacesId === null ? null : open(row.replacedCipher, row.replacesId),
  }))
  const byName = Map.groupBy(rows, ({ workspace, name }) => JSON.stringify([workspace, name]))
  return [...byName.values()].flatMap((keys) => keys.sort((a, b) => (a.key < b.key ? -1 : 1)))
}

/** The rows of a type, or those of it with the id of a workspace, a few at a time. */
async function* readPages(sql: Sql, type: RecordType, workspaceId?: number) {
  const { column } = recordTables[type].identity
  const conditions = [`t."${column}" > $1`, ...(workspaceId === undefined ? [] : ['t."workspaceId" = $2'])]
  const query = `${exportQuery(type, ...conditions)} LIMIT ${batch}`
  const more = workspaceId === undefined ? [] : [workspaceId]
  const readAfter = (last: unknown) => sql.query<StoredRow>(query, last, ...more)
  // Before every id and text.
  let rows = await readAfter(type === 'item' ? 0 : '')
  for (; rows.length; rows = await readAfter(rows.at(-1)?.[column])) yield rows
}

async function* readRows(sql: Sql, type: RecordType, vault: ExportedDatabase['vault']) {
  if (type === 'api_key') yield await readKeys(sql, vault)
  else if (type !== 'purchase') yield* readPages(sql, type)
  else
    for (const { id } of await sql.query<{ id: number }>('SELECT "id" FROM "Workspace" ORDER BY "slug"'))
      yield* readPages(sql, type, id)
}

/**
 * Writes everything that is stored, as the NDJSON that `importRecords` takes, in pieces of whole lines: each record after those that it
 * refers to, in an order that the data alone decides. It reads one snapshot of the database, a few rows at a time.
 */
export const exportRecords = ({ database, vault }: ExportedDatabase, write: (piece: string) => unknown) =>
  database.transact(
    async (sql) => {
      let piece = ''
      for (const type of recordTypes) {
        for await (const rows of readRows(sql, type, vault)) {
          for (const row of rows) piece += `${serializeRecord[type](row)}\n`
          if (piece.length < pieceLength) continue
          await write(piece)
          piece = ''
        }
      }
      if (piece) await write(piece)
    },
    undefined,
    { readonly: true },
  )
