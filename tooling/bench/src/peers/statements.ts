import { hash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { type AccountRow, type ItemRow, isUsable, type KeyRow, type PurchaseRow } from './stored-rows.ts'

/** The four reads as statements that are prepared once, for the floor and the peer without a query builder. */
export function createReads(file: string) {
  const database = new Sqlite(file, { readonly: true })
  const key = database.prepare<[string], KeyRow>(
    'SELECT "workspaceId", "expiresAt", "revokedAt" FROM "ApiKey" WHERE "keyHash" = ?',
  )
  const workspace = database.prepare<[string], { accountId: string }>(
    'SELECT "accountId" FROM "Workspace" WHERE "id" = ?',
  )
  const account = database.prepare<[string], AccountRow>('SELECT * FROM "Account" WHERE "id" = ?')
  const items = database.prepare<[string], ItemRow>(
    'SELECT * FROM "Item" WHERE "workspaceId" = ? ORDER BY "publishedAt" DESC, "id" DESC',
  )
  const item = database.prepare<[string, number], ItemRow>(
    'SELECT * FROM "Item" WHERE "workspaceId" = ? AND "id" = ?',
  )
  const purchase = database.prepare<[string, string], PurchaseRow>(
    'SELECT * FROM "Purchase" WHERE "workspaceId" = ? AND "code" = ?',
  )

  return {
    /** The workspace of an `Authorization: Bearer KEY`, of which only usable keys have one. */
    workspaceOf(authorization = ''): string | undefined {
      const row = key.get(hash('sha256', authorization.slice('Bearer '.length), 'base64url'))
      return row && isUsable(row) ? row.workspaceId : undefined
    },
    account: (workspaceId: string) => account.get(workspace.get(workspaceId)!.accountId)!,
    items: (workspaceId: string) => items.all(workspaceId),
    item: (workspaceId: string, id: number) => item.get(workspaceId, id),
    /** Two reads: as one join it is slower, for the driver prepares a join again whenever it is bound. */
    purchase(workspaceId: string, code: string) {
      const row = purchase.get(workspaceId, code)
      return row?.state === 'active' ? { row, item: item.get(workspaceId, row.itemId)! } : undefined
    },
  }
}

export type Reads = ReturnType<typeof createReads>
