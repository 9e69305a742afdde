import { openConnection } from '../db/sqlite/connection.ts'
import { fromSqlite } from '../db/sqlite/errors.ts'
import { selectFields, serializeRecord } from '../records/export-record.ts'
import type { StoredRow } from '../records/json.ts'
import { type RecordType, recordTables, recordTypes } from '../records/tables.ts'

export interface ExportOptions {
  /** A migrated SQLite file. */
  databaseFile: string
  /** Decrypts the keys: they are written in clear. */
  vault: { open: (sealed: Uint8Array, hash: string) => string }
}

const pieceLength = 64 * 1024

/** Gives the rows of a query, a few at a time. */
export type Select = (
  sql: string,
  ...parameters: number[]
) => Iterable<readonly StoredRow[]> | AsyncIterable<readonly StoredRow[]>

function exportQuery(type: RecordType): string {
  const { exported } = recordTables[type]
  const columns = [
    selectFields(recordTables[type]),
    ...Object.entries(exported.columns ?? {}).map(([name, select]) => `${select} AS "${name}"`),
  ]
  return `SELECT ${columns.join(', ')} FROM ${exported.from} ORDER BY ${exported.orderBy}`
}

/** The rows of keys with the same name, one group at a time, each in the order of the keys: ids and hashes differ between deployments. */
async function* sortedKeys(rows: ReturnType<Select>, vault: ExportOptions['vault']) {
  let group: (StoredRow & { key: string })[] = []
  const sorted = () => group.sort((a, b) => (a.key < b.key ? -1 : 1))
  function open(cipher: unknown, hash: unknown) {
    if (!(cipher instanceof Uint8Array)) throw new TypeError('a key is not stored as bytes')
    return vault.open(cipher, String(hash))
  }
  for await (const some of rows) {
    for (const row of some) {
      if (group[0] && (group[0].workspace !== row.workspace || group[0].name !== row.name)) {
        yield sorted()
        group = []
      }
      const replaces = row.replacesId === null ? null : open(row.replacedCipher, row.replacesId)
      group.push({ ...row, key: open(row.keyCipher, row.keyHash), replaces })
    }
  }
  yield sorted()
}

async function* workspaceIds(select: Select) {
  const ids: number[] = []
  for await (const rows of select('SELECT "id" FROM "Workspace" ORDER BY "slug"'))
    ids.push(...rows.map(({ id }) => Number(id)))
  yield* ids
}

async function* readRows(type: RecordType, select: Select, vault: ExportOptions['vault']) {
  const query = exportQuery(type)
  if (type === 'api_key') yield* sortedKeys(select(query), vault)
  else if (type === 'purchase') for await (const id of workspaceIds(select)) yield* select(query, id)
  else yield* select(query)
}

/** What the rows hold, as lines in pieces: each record after those that it refers to, in an order that the data alone decides. */
export async function* exportRows(select: Select, vault: ExportOptions['vault']): AsyncGenerator<string> {
  let piece = ''
  for (const type of recordTypes) {
    for await (const rows of readRows(type, select, vault)) {
      for (const row of rows) piece += `${serializeRecord[type](row)}\n`
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
  }
  if (piece) yield piece
}

/** How many rows are read at once. */
const batch = 200

function* inBatches(rows: Iterable<StoredRow>) {
  let some: StoredRow[] = []
  for (const row of rows) {
    some.push(row)
    if (some.length < batch) continue
    yield some
    some = []
  }
  yield some
}

/**
 * Everything that is stored, as the NDJSON that `importRecords` takes, in pieces of whole lines. It reads one snapshot of the
 * database, a row at a time; stopping early closes it.
 */
export async function* exportRecords({ databaseFile, vault }: ExportOptions): AsyncGenerator<string> {
  const db = openConnection(databaseFile)
  try {
    db.pragma('query_only = ON')
    db.exec('BEGIN')
    yield* exportRows(
      (sql, ...parameters) =>
        inBatches(db.prepare<number[], StoredRow>(sql.replaceAll('$1', '?')).iterate(...parameters)),
      vault,
    )
  } catch (error) {
    throw fromSqlite(error)
  } finally {
    db.close()
  }
}
