import { hash } from 'node:crypto'
import pg from 'pg'
import { accountResult, itemResult, itemsResult, purchaseResult, unauthorized } from './present.ts'
import type { AccountRow, ItemRow, PurchaseRow } from './rows.ts'

// Values as better-sqlite3 returns them.
const { builtins, setTypeParser } = pg.types
setTypeParser(builtins.BOOL, (text) => (text === 't' ? 1 : 0))
setTypeParser(builtins.INT8, Number)
setTypeParser(builtins.JSON, (text) => text)
setTypeParser(builtins.TIMESTAMPTZ, (text) => Date.parse(`${text.replace(' ', 'T')}:00`))

const key = `"ApiKey" k WHERE k."keyHash" = $1 AND k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > now())`
const joined = (...joins: string[]) => key.replace(' WHERE', ` ${joins.join(' ')} WHERE`)

const statements = {
  account: `SELECT a.* FROM ${joined('JOIN "Workspace" w ON w."id" = k."workspaceId"', 'JOIN "Account" a ON a."id" = w."accountId"')}`,
  items: `SELECT i.* FROM ${joined('LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId"')} ORDER BY i."publishedAt" DESC, i."id" DESC`,
  item: `SELECT i.* FROM ${joined('LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND i."id" = $2')}`,
  purchase: `SELECT i.*, p."code", p."licenseType", p."supportedUntil", p."downloaded", p."date", p."state" FROM ${joined(
    'LEFT JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" AND p."code" = $2',
    'LEFT JOIN "Item" i ON i."workspaceId" = p."workspaceId" AND i."id" = p."itemId"',
  )}`,
}

/** The four operations, each in one round trip of a pipeline: its statement is prepared once and reads key and record together. */
export async function createPostgresReads(connectionString: string) {
  const client = new pg.Client({ connectionString, pipeline: true })
  await client.connect()

  async function read<Row extends object>(
    name: keyof typeof statements,
    authorization: string,
    ...values: unknown[]
  ) {
    const keyHash = hash('sha256', authorization.slice('Bearer '.length), 'base64url')
    return (await client.query<Row>({ name, text: statements[name], values: [keyHash, ...values] })).rows
  }

  return {
    async account(authorization: string) {
      const [row] = await read<AccountRow>('account', authorization)
      return row ? accountResult(row) : unauthorized
    },
    async items(authorization: string) {
      const rows = await read<ItemRow>('items', authorization)
      return rows.length ? itemsResult(rows) : unauthorized
    },
    async item(authorization: string, id: number) {
      const [row] = await read<ItemRow>('item', authorization, id)
      return row ? itemResult(row.id === null ? undefined : row) : unauthorized
    },
    async purchase(authorization: string, code: string) {
      const [row] = await read<PurchaseRow & ItemRow>('purchase', authorization, code)
      return row ? purchaseResult(row, row) : unauthorized
    },
  }
}
