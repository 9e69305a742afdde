import { hash } from 'node:crypto'
import pg from 'pg'
import { type AccountRow, type ItemRow, isUsable, type KeyRow, type PurchaseRow } from './stored-rows.ts'

/** Rows as the other peers have them, which is also what costs least: nothing is made that is written as text again. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  114: (text) => text,
  1184: (text) => text.replace(' ', 'T'),
}
const types = { getTypeParser: (id: number) => parsers[id] ?? pg.types.getTypeParser(id) }

const key = 'k."workspaceId", k."expiresAt", k."revokedAt"'
const found = 'FROM "ApiKey" k'
const byKey = 'WHERE k."keyHash" = $1'

/** Key and answer by one statement: two would be two ways to the server and back. */
const statements = {
  account: `SELECT a.*, ${key} ${found} JOIN "Workspace" w ON w."id" = k."workspaceId"
    JOIN "Account" a ON a."id" = w."accountId" ${byKey}`,
  item: `SELECT i.*, ${key} ${found} LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND i."id" = $2 ${byKey}`,
  items: `SELECT i.*, ${key} ${found} LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" ${byKey}
    ORDER BY i."publishedAt" DESC, i."id" DESC`,
  purchase: `SELECT i.*, p."code", p."licenseType", p."currency" AS "paidIn", p."supportedUntil", p."downloaded", p."date",
      p."state", ${key} ${found}
    LEFT JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" AND p."code" = $2
    LEFT JOIN "Item" i ON i."id" = p."itemId" ${byKey}`,
} as const

type Keyed<Row> = Row & KeyRow

/** The four reads through a pool, each prepared once on each connection. */
export function createPostgresReads(connectionString: string) {
  const pool = new pg.Pool({ connectionString, options: '-c timezone=UTC' })
  const ask = async <Row>(name: keyof typeof statements, authorization: string, ...values: unknown[]) => {
    const keyHash = hash('sha256', authorization.slice('Bearer '.length), 'base64url')
    const { rows } = await pool.query({ name, text: statements[name], values: [keyHash, ...values], types })
    return rows[0] && isUsable(rows[0]) ? (rows as Keyed<Row>[]) : undefined
  }
  return {
    account: (authorization: string) => ask<AccountRow>('account', authorization),
    item: (authorization: string, id: number) => ask<ItemRow>('item', authorization, id),
    items: (authorization: string) => ask<ItemRow>('items', authorization),
    purchase: (authorization: string, code: string) =>
      ask<ItemRow & PurchaseRow & { paidIn: string }>('purchase', authorization, code),
  }
}
