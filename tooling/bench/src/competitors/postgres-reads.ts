import { hash } from 'node:crypto'
import pg from 'pg'
import {
  accountResult,
  itemResult,
  itemsResult,
  purchaseResult,
  type Result,
  unauthorized,
} from './present.ts'
import { type AccountRow, type ItemRow, isUsable, type KeyRow, type PurchaseRow } from './rows.ts'

/** Values as SQLite returns them, which also costs least: nothing is parsed that is written as text again. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  114: (text) => text,
  1184: (text) => text.replace(' ', 'T'),
}
const types = { getTypeParser: (id: number) => parsers[id] ?? pg.types.getTypeParser(id) }

const key = 'k."workspaceId", k."expiresAt", k."revokedAt" FROM "ApiKey" k'
const byKey = 'WHERE k."keyHash" = $1'

/** Key and data in one statement: two would be two round trips. */
const statements = {
  account: `SELECT a.*, ${key} JOIN "Workspace" w ON w."id" = k."workspaceId"
    JOIN "Account" a ON a."id" = w."accountId" ${byKey}`,
  items: `SELECT i.*, ${key} LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" ${byKey}
    ORDER BY i."publishedAt" DESC, i."id" DESC`,
  item: `SELECT i.*, ${key} LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND i."id" = $2 ${byKey}`,
  purchase: `SELECT i.*, p."code", p."licenseType", p."currency" AS "paidIn", p."supportedUntil", p."downloaded", p."date",
      p."state", ${key} LEFT JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" AND p."code" = $2
    LEFT JOIN "Item" i ON i."id" = p."itemId" ${byKey}`,
} as const

/** The four operations through a pool, each prepared once on each connection. */
export function createPostgresReads(connectionString: string) {
  const pool = new pg.Pool({ connectionString, options: '-c timezone=UTC' })

  async function read<Row>(
    name: keyof typeof statements,
    [authorization, ...values]: [string, ...unknown[]],
    present: (rows: (Row & KeyRow)[], first: Row) => Result,
  ): Promise<Result> {
    const keyHash = hash('sha256', authorization.slice('Bearer '.length), 'base64url')
    const { rows } = await pool.query({ name, text: statements[name], values: [keyHash, ...values], types })
    const [first] = rows
    return first && isUsable(first) ? present(rows, first) : unauthorized
  }

  return {
    account: (authorization: string) =>
      read<AccountRow>('account', [authorization], (_, row) => accountResult(row)),
    items: (authorization: string) => read<ItemRow>('items', [authorization], (rows) => itemsResult(rows)),
    item: (authorization: string, id: number) =>
      read<ItemRow>('item', [authorization, id], (_, row) => itemResult(row.id ? row : undefined)),
    purchase: (authorization: string, code: string) =>
      read<ItemRow & PurchaseRow & { paidIn: string }>('purchase', [authorization, code], (_, row) =>
        purchaseResult({ ...row, currency: row.paidIn }, row),
      ),
  }
}
