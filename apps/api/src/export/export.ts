import Database from 'better-sqlite3'
import {
  accountRecord,
  apiKeyRecord,
  itemRecord,
  purchaseRecord,
  type Row,
  workspaceRecord,
} from './records.ts'

export interface ExportOptions {
  /** A migrated SQLite file. */
  databaseFile: string
  /** Opens the keys: they are written in clear. */
  vault: { open: (sealed: Uint8Array, hash: string) => string }
}

const pieceLength = 64 * 1024

const queries = {
  accounts: 'SELECT * FROM Account ORDER BY username',
  workspaces: `SELECT w.*, a.username AS owner FROM Workspace w JOIN Account a ON a.id = w.accountId ORDER BY w.slug`,
  items: 'SELECT i.*, w.slug AS workspace FROM Item i JOIN Workspace w ON w.id = i.workspaceId ORDER BY i.id',
  keys: `SELECT k.*, w.slug AS workspace, (SELECT json_group_array(itemId) FROM
      (SELECT b.itemId FROM ApiKeyItem b WHERE b.workspaceId = k.workspaceId AND b.keyId = k.id ORDER BY b.itemId)) AS items
    FROM ApiKey k JOIN Workspace w ON w.id = k.workspaceId ORDER BY w.slug, k.name`,
  workspaceIds: 'SELECT id FROM Workspace ORDER BY slug',
  purchases: 'SELECT * FROM Purchase WHERE workspaceId = ? ORDER BY code',
} as const

type Select = (query: keyof typeof queries, ...parameters: string[]) => IterableIterator<Row>

/** Keys of one name follow each other by the key itself: ids and hashes are others in each deployment. */
function* keyRecords(select: Select, vault: ExportOptions['vault']) {
  let group: ReturnType<typeof apiKeyRecord>[] = []
  const sorted = () => group.sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const row of select('keys')) {
    const record = apiKeyRecord(row, vault)
    if (group[0] && (group[0].workspace !== record.workspace || group[0].name !== record.name)) {
      yield* sorted()
      group = []
    }
    group.push(record)
  }
  yield* sorted()
}

/** All records, each after those that it refers to, in an order that the data alone decides. */
function* records(select: Select, vault: ExportOptions['vault']): Generator<object> {
  for (const row of select('accounts')) yield accountRecord(row)
  for (const row of select('workspaces')) yield workspaceRecord(row)
  for (const row of select('items')) yield itemRecord(row)
  yield* keyRecords(select, vault)
  for (const { id } of [...select('workspaceIds')]) {
    for (const row of select('purchases', id as string)) yield purchaseRecord(row)
  }
}

/**
 * Everything that is stored, as the NDJSON that `importRecords` takes, in pieces of whole lines. It reads one snapshot of the
 * database, a row at a time; stopping early closes it.
 */
export async function* exportRecords({ databaseFile, vault }: ExportOptions): AsyncGenerator<string> {
  const db = new Database(databaseFile, { fileMustExist: true, timeout: 5000 })
  try {
    db.pragma('query_only = ON')
    db.exec('BEGIN')
    const select: Select = (query, ...parameters) =>
      db.prepare<string[], Row>(queries[query]).iterate(...parameters)
    let piece = ''
    for (const record of records(select, vault)) {
      piece += `${JSON.stringify(record)}\n`
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    if (piece) yield piece
  } finally {
    db.close()
  }
}
