import type { Shape } from '@saleproof/schema'
import type { StoredSigningKey } from '../../crypto/signing-key.ts'
import { loadSqlite } from '../../db/sqlite/driver.ts'
import { itemTable } from '../../records/item.ts'
import {
  type JsonPiece,
  jsonPieces,
  type StoredRow,
  shownFields,
  writeCondition,
} from '../../records/json.ts'
import { createVersion } from './data-version.ts'
import { type ItemRow, listHead, listTail, type PurchaseRow, type ReadField, readFields } from './rows.ts'

/** How long a read may wait for a lock: the driver is synchronous, and every other request waits with it. */
const busyTimeoutMs = 50

export interface KeyRow {
  id: string
  workspaceId: number
  publishable: number
  expiresAt: number | null
  revokedAt: number | null
}

export interface WorkspaceRow {
  accountId: string
  slug: string
  passHours: number | null
  shape: 'base' | 'extended' | null
  locale: 'en' | 'pt' | null
}

export interface RevisionRow {
  access: number
  catalogue: number
  sales: number
}

interface ListRow {
  /** Null where there are no items. */
  bytes: Buffer | null
}

const columnList = (fields: readonly ReadField[]) => fields.map(({ column }) => `"${column}"`).join(', ')
const accountColumns = columnList(readFields.account)
const itemColumns = columnList(readFields.item)
const purchaseColumns = columnList(readFields.purchase)

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function pieceSql(piece: JsonPiece): string {
  if (typeof piece === 'string') return literal(piece)
  const { field, column, condition, before } = piece
  const written = `${literal(before)} || ${field.codec.jsonSql(`"${column}"`)}`
  const test = writeCondition(condition, 'sql', `"${column}"`)
  return test ? `iif(${test}, ${written}, '')` : written
}

/** An item as `itemJson` writes it. */
const itemSql = (shape: Shape) =>
  `concat(${jsonPieces(shownFields(itemTable, shape)).map(pieceSql).join(', ')})`

/**
 * The response that lists the items of a workspace; NULL where it has none. SQLite puts it together: to hand ten thousand rows of twenty
 * columns to JavaScript and to write their JSON there takes more than twice as long, and more memory. A property test compares the bytes
 * with those of the routes. SQLite keeps the order of a subquery for `group_concat`; asked to order by itself it would sort whole texts.
 */
const listSql = (shape: Shape) => `
  SELECT CAST('${listHead}' || group_concat(item, ',') || '${listTail}' AS BLOB) AS bytes
  FROM (SELECT ${itemSql(shape)} AS item FROM Item
    WHERE workspaceId = ? AND withdrawnAt IS NULL ORDER BY publishedAt DESC, id DESC)`

/**
 * Prepared once: Prisma plans each query again, which costs twenty times what SQLite takes to answer it. Each reads one table: a join is
 * prepared again at every call.
 */
export function prepareStatements(databaseFile: string, logIndex: () => number | undefined) {
  // Not opened read-only: a reader that may not write cannot recover the log after a crash.
  const database = new (loadSqlite())(databaseFile, { fileMustExist: true, timeout: busyTimeoutMs })
  database.pragma('query_only = ON')
  const { current, snapshot } = createVersion(database, logIndex)
  let reads = 0
  function prepare<Parameters extends unknown[], Row>(sql: string) {
    const statement = database.prepare<Parameters, Row>(sql)
    function begin() {
      reads++
      snapshot.open()
    }
    return {
      get(...parameters: Parameters) {
        begin()
        return statement.get(...parameters)
      },
      all(...parameters: Parameters) {
        begin()
        return statement.all(...parameters)
      },
    }
  }
  const statements = {
    revision: prepare<[number], RevisionRow>(
      'SELECT access, catalogue, sales FROM Revision WHERE workspaceId = ?',
    ),
    key: prepare<[string], KeyRow>(
      'SELECT id, workspaceId, publishable, expiresAt, revokedAt FROM ApiKey WHERE keyHash = ?',
    ),
    workspace: prepare<[number], WorkspaceRow>(
      'SELECT accountId, slug, passHours, shape, locale FROM Workspace WHERE id = ?',
    ),
    signingKeys: prepare<[number], StoredSigningKey>(
      `SELECT id, publicKey, keyHash, keyCipher FROM SigningKey WHERE workspaceId = ? AND retiredAt IS NULL
       ORDER BY createdAt DESC, id DESC`,
    ),
    binding: prepare<[number, string], { itemId: number }>(
      'SELECT itemId FROM ApiKeyItem WHERE workspaceId = ? AND keyId = ? LIMIT 1',
    ),
    account: prepare<[string], StoredRow>(`SELECT ${accountColumns} FROM Account WHERE id = ?`),
    list: {
      base: prepare<[number], ListRow>(listSql('base')),
      extended: prepare<[number], ListRow>(listSql('extended')),
    },
    item: prepare<[number, number], ItemRow>(
      `SELECT ${itemColumns} FROM Item WHERE workspaceId = ? AND id = ?`,
    ),
    purchase: prepare<[number, string], PurchaseRow>(
      `SELECT ${purchaseColumns} FROM Purchase WHERE workspaceId = ? AND code = ?`,
    ),
    boundPurchase: prepare<[number, string, string], PurchaseRow>(
      `SELECT ${purchaseColumns} FROM Purchase p WHERE workspaceId = ? AND code = ?
         AND EXISTS (SELECT 1 FROM ApiKeyItem b WHERE b.workspaceId = p.workspaceId AND b.keyId = ? AND b.itemId = p.itemId)`,
    ),
  }
  return {
    ...statements,
    reads: () => reads,
    version: current,
    snapshots: snapshot.opened,
    release: snapshot.release,
    close() {
      snapshot.release()
      database.close()
    },
  }
}

export type Statements = ReturnType<typeof prepareStatements>
