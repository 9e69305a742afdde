import Database from 'better-sqlite3'
import {
  accountRecord,
  apiKeyRecord,
  itemRecord,
  purchaseRecord,
  type Row,
  workspaceRecord,
} from './export-records.ts'

export interface ExportOptions {
  /** A migrated SQLite file. */
  databaseFile: string
  /** Opens the keys: they are written in clear. */
  vault: { open: (sealed: Uint8Array, hash: string) => string }
}

const pieceLength = 64 * 1024

const queries = {
  accounts: 'SELECT * FROM "Account" ORDER BY "username"',
  workspaces: `SELECT w.*, a."username" AS "owner" FROM "Workspace" w JOIN "Account" a ON a."id" = w."accountId"
    ORDER BY w."slug"`,
  items: `SELECT i.*, w."slug" AS "workspace" FROM "Item" i JOIN "Workspace" w ON w."id" = i."workspaceId"
    ORDER BY i."id"`,
  keys: `SELECT k.*, w."slug" AS "workspace",
      (SELECT '[' || coalesce(string_agg(CAST(b."itemId" AS text), ',' ORDER BY b."itemId"), '') || ']'
        FROM "ApiKeyItem" b WHERE b."workspaceId" = k."workspaceId" AND b."keyId" = k."id") AS "items"
    FROM "ApiKey" k JOIN "Workspace" w ON w."id" = k."workspaceId" ORDER BY w."slug", k."name"`,
  workspaceIds: 'SELECT "id" FROM "Workspace" ORDER BY "slug"',
  purchases: 'SELECT * FROM "Purchase" WHERE "workspaceId" = $1 ORDER BY "code"',
} as const

/** Gives the rows of a query, a few at a time. */
export type Select = (
  sql: string,
  ...parameters: string[]
) => Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>

/** Keys of one name follow each other by the key itself: ids and hashes are others in each deployment. */
function createKeySorter() {
  let group: ReturnType<typeof apiKeyRecord>[] = []
  function take() {
    const sorted = group.sort((a, b) => (a.key < b.key ? -1 : 1))
    group = []
    return sorted
  }
  return {
    /** Gives those that are complete. */
    add(record: ReturnType<typeof apiKeyRecord>) {
      const other = group[0] && (group[0].workspace !== record.workspace || group[0].name !== record.name)
      const done = other ? take() : []
      group.push(record)
      return done
    },
    take,
  }
}

async function* keyRecords(select: Select, vault: ExportOptions['vault']) {
  const sorter = createKeySorter()
  for await (const rows of select(queries.keys))
    yield rows.flatMap((row) => sorter.add(apiKeyRecord(row, vault)))
  yield sorter.take()
}

async function* presented(rows: ReturnType<Select>, present: (row: Row) => object) {
  for await (const some of rows) yield some.map(present)
}

/** All records, each after those that it refers to, in an order that the data alone decides. */
async function* records(select: Select, vault: ExportOptions['vault']): AsyncGenerator<readonly object[]> {
  yield* presented(select(queries.accounts), accountRecord)
  yield* presented(select(queries.workspaces), workspaceRecord)
  yield* presented(select(queries.items), itemRecord)
  yield* keyRecords(select, vault)
  const ids: string[] = []
  for await (const rows of select(queries.workspaceIds)) ids.push(...rows.map(({ id }) => id as string))
  for (const id of ids) yield* presented(select(queries.purchases, id), purchaseRecord)
}

/** What the rows hold, as lines in pieces. */
export async function* exportRows(select: Select, vault: ExportOptions['vault']): AsyncGenerator<string> {
  let piece = ''
  for await (const some of records(select, vault)) {
    for (const record of some) piece += `${JSON.stringify(record)}\n`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

/** How many rows are read at once. */
const batch = 200

function* inBatches(rows: Iterable<Row>) {
  let some: Row[] = []
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
  const db = new Database(databaseFile, { fileMustExist: true, timeout: 5000 })
  try {
    db.pragma('query_only = ON')
    db.exec('BEGIN')
    yield* exportRows(
      (sql, ...parameters) =>
        inBatches(db.prepare<string[], Row>(sql.replaceAll('$1', '?')).iterate(...parameters)),
      vault,
    )
  } finally {
    db.close()
  }
}
