import { hash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import {
  accountResult,
  itemResult,
  itemsResult,
  purchaseResult,
  type Result,
  unauthorized,
} from './present.ts'
import { type AccountRow, type ItemRow, isUsable, type KeyRow, type PurchaseRow } from './rows.ts'

/** The four operations on statements that are prepared once. */
export function createSqliteReads(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const keyByHash = database.prepare<[string], KeyRow>(
    'SELECT "workspaceId", "expiresAt", "revokedAt" FROM "ApiKey" WHERE "keyHash" = ?',
  )
  const selectAccount = database.prepare<[number], AccountRow>(
    'SELECT * FROM "Account" WHERE "id" = (SELECT "accountId" FROM "Workspace" WHERE "id" = ?)',
  )
  const selectItems = database.prepare<[number], ItemRow>(
    'SELECT * FROM "Item" WHERE "workspaceId" = ? ORDER BY "publishedAt" DESC, "id" DESC',
  )
  const itemById = database.prepare<[number, number], ItemRow>(
    'SELECT * FROM "Item" WHERE "workspaceId" = ? AND "id" = ?',
  )
  const purchaseByCode = database.prepare<[number, string], PurchaseRow>(
    'SELECT * FROM "Purchase" WHERE "workspaceId" = ? AND "code" = ?',
  )

  const inWorkspace = (authorization: string, read: (workspaceId: number) => Result | undefined) => {
    const key = keyByHash.get(hash('sha256', authorization.slice('Bearer '.length), 'base64url'))
    return (key && isUsable(key) && read(key.workspaceId)) || unauthorized
  }

  return {
    account: (authorization: string) =>
      inWorkspace(authorization, (workspaceId) => {
        const row = selectAccount.get(workspaceId)
        return row && accountResult(row)
      }),
    items: (authorization: string) =>
      inWorkspace(authorization, (workspaceId) => itemsResult(selectItems.all(workspaceId))),
    item: (authorization: string, id: number) =>
      inWorkspace(authorization, (workspaceId) => itemResult(itemById.get(workspaceId, id))),
    /** Two statements: one join is slower, for the driver prepares a join again whenever it is bound. */
    purchase: (authorization: string, code: string) =>
      inWorkspace(authorization, (workspaceId) => {
        const row = purchaseByCode.get(workspaceId, code)
        return purchaseResult(row, row && itemById.get(workspaceId, row.itemId))
      }),
  }
}
