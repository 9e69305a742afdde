import Sqlite from 'better-sqlite3'
import type { AccountRow, ItemRow, PurchaseRow } from './rows.ts'

/** How long a read may wait for a lock: the driver is synchronous, and every other request waits with it. */
const busyTimeoutMs = 50

export interface KeyRow {
  id: string
  workspaceId: string
  publishable: number
  expiresAt: string | null
  revokedAt: string | null
  shape: 'base' | 'extended' | null
  locale: 'en' | 'pt' | null
  bound: number
}

export interface RevisionRow {
  access: number
  catalogue: number
  sales: number
}

/** Prepared once: Prisma plans each query anew, which costs twenty times what SQLite takes to answer it. */
export function prepareStatements(databaseFile: string) {
  // Not opened read-only: a reader that may not write cannot recover the log after a crash.
  const database = new Sqlite(databaseFile, { fileMustExist: true, timeout: busyTimeoutMs })
  database.pragma('query_only = ON')
  const prepare = <Parameters extends unknown[], Row>(sql: string) => database.prepare<Parameters, Row>(sql)
  const version = database.prepare<[], number>('PRAGMA data_version').pluck()
  const statements = {
    revision: prepare<[string], RevisionRow>(
      'SELECT access, catalogue, sales FROM Revision WHERE workspaceId = ?',
    ),
    changedItems: prepare<[string, number], { itemId: number }>(
      'SELECT itemId FROM ItemChange WHERE workspaceId = ? AND revision > ?',
    ),
    key: prepare<[string], KeyRow>(
      `SELECT k.id, k.workspaceId, k.publishable, k.expiresAt, k.revokedAt, w.shape, w.locale,
              EXISTS (SELECT 1 FROM ApiKeyItem b WHERE b.workspaceId = k.workspaceId AND b.keyId = k.id) AS bound
       FROM ApiKey k JOIN Workspace w ON w.id = k.workspaceId WHERE k.keyHash = ?`,
    ),
    account: prepare<[string], AccountRow>(
      'SELECT a.* FROM Workspace w JOIN Account a ON a.id = w.accountId WHERE w.id = ?',
    ),
    items: prepare<[string], ItemRow>(
      'SELECT * FROM Item WHERE workspaceId = ? ORDER BY publishedAt DESC, id DESC',
    ),
    itemIds: prepare<[string], { id: number }>(
      'SELECT id FROM Item WHERE workspaceId = ? ORDER BY publishedAt DESC, id DESC',
    ),
    item: prepare<[string, number], ItemRow>('SELECT * FROM Item WHERE workspaceId = ? AND id = ?'),
    purchase: prepare<[string, string], PurchaseRow>(
      `SELECT code, itemId, licenseType, price, currency, supportedUntil, downloaded, date, state
       FROM Purchase WHERE workspaceId = ? AND code = ?`,
    ),
    boundPurchase: prepare<[string, string, string], PurchaseRow>(
      `SELECT code, itemId, licenseType, price, currency, supportedUntil, downloaded, date, state
       FROM Purchase p WHERE workspaceId = ? AND code = ?
         AND EXISTS (SELECT 1 FROM ApiKeyItem b WHERE b.workspaceId = p.workspaceId AND b.keyId = ? AND b.itemId = p.itemId)`,
    ),
  }
  return {
    ...statements,
    /**
     * A number that changes when another connection, of this process or another, has committed. This connection never writes: its own
     * commits would not show.
     */
    version: () => version.get() as number,
    /** Runs reads over one state of the database. */
    snapshot<T>(read: () => T): T {
      database.exec('BEGIN')
      try {
        return read()
      } finally {
        database.exec('COMMIT')
      }
    },
    close: () => void database.close(),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
