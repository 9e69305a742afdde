import { notPrimary } from '../../../db/postgres/primary.ts'
import type { StoredKey } from '../../../domain/api-keys.ts'
import type { StoredRow } from '../../../records/json.ts'
import type { PassKey } from '../../passes.ts'
import { type ItemRow, type PurchaseRow, type ReadField, readFields } from '../rows.ts'
import type { RawRow } from './driver-internals.ts'

// The four operations, each as one statement: key and record are of one state of the database, and come with one message there and back.

/** Columns that are read together, and the function that reads them where they begin at `from`. */
interface Part<Value> {
  columns: readonly string[]
  readerAt: (from: number) => (row: RawRow) => Value
}

/** The row of a table, as an SQLite file would give it; undefined where the join found none. */
const record = <Row>(alias: string, fields: readonly ReadField[]): Part<Row | undefined> => ({
  columns: fields.map(({ column }) => `${alias}."${column}"`),
  readerAt: (from) => (row) => {
    if (row[from] == null) return undefined
    const values: Record<string, unknown> = {}
    let index = from
    for (const { column, field } of fields) {
      const text = row[index++]
      values[column] = text == null ? null : field.codec.parse(text)
    }
    // The columns are those of the table.
    return values as Row
  },
})

const isBound = `EXISTS (SELECT 1 FROM "ApiKeyItem" b WHERE b."workspaceId" = k."workspaceId" AND b."keyId" = k."id")`

const flag = (value: string | null) => value === 't'

/** The column of each value, and how it is read. */
const keyColumns: Readonly<
  Record<keyof StoredKey, readonly [column: string, read: (value: string | null) => unknown]>
> = {
  keyId: ['k."id"', (id) => id],
  workspaceId: ['k."workspaceId"', Number],
  publishable: ['k."publishable"', flag],
  bound: [isBound, flag],
  shape: ['w."shape"', (shape) => shape],
  locale: ['w."locale"', (locale) => locale],
  revoked: ['k."revokedAt" IS NOT NULL', flag],
  expiresAt: [
    'floor(extract(epoch FROM k."expiresAt") * 1000)::bigint',
    (ms) => (ms === null ? undefined : Number(ms)),
  ],
}

const keyEntries = Object.entries(keyColumns)

/** Reads the key that every statement begins with. */
export const readKey = (row: RawRow) =>
  // The columns are of those types.
  Object.fromEntries(
    keyEntries.map(([name, [, read]], index) => [name, read(row[index] ?? null)]),
  ) as unknown as StoredKey

const keyHolder = '"ApiKey" k JOIN "Workspace" w ON w."id" = k."workspaceId"'

/** A statement that reads a key and the parts: its two texts, and a reader of each part. */
function statement<Values extends object>(
  parts: { readonly [Name in keyof Values]: Part<Values[Name]> },
  joins: string,
  orderBy = '',
) {
  const columns = keyEntries.map(([, [column]]) => column)
  const readers = Object.entries<Part<unknown>>(parts).map(([name, part]) => {
    const read = part.readerAt(columns.length)
    columns.push(...part.columns)
    return [name, read]
  })
  const selected = columns.join(', ')
  // One reader for each part, by its name.
  const read: { readonly [Name in keyof Values]: (row: RawRow) => Values[Name] } = Object.fromEntries(readers)
  return {
    read,
    plain: `SELECT ${selected} FROM ${keyHolder} ${joins} WHERE k."keyHash" = $1 ${orderBy}`,
    /** There is always a row, whose last column says whether a standby answers: what that does not know may be there all the same. */
    guarded: `SELECT ${selected}, s."standby" FROM (SELECT pg_is_in_recovery() AS "standby") s
      LEFT JOIN (${keyHolder}) ON k."keyHash" = $1 ${joins} ${orderBy}`,
  }
}

const item = record<ItemRow>('i', readFields.item)

/** The newest signing key that a request names and that is not retired. */
const signingKey: Part<PassKey | undefined> = {
  columns: [
    `(SELECT row_to_json(n) FROM (SELECT "id", "publicKey", "keyHash", encode("keyCipher", 'hex') AS "keyCipher", w."slug", w."passHours"
        FROM "SigningKey" WHERE "workspaceId" = k."workspaceId" AND "retiredAt" IS NULL AND "id" = ANY(string_to_array($5, ','))
        ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) n)`,
  ],
  readerAt: (from) => (row) => {
    const key = row[from] && JSON.parse(row[from])
    return key ? { ...key, keyCipher: Buffer.from(key.keyCipher, 'hex') } : undefined
  },
}

const catalogue: Part<string | null | undefined> = {
  columns: ['c."catalogue"'],
  readerAt: (from) => (row) => row[from],
}

/** The shape of the request, else of the workspace, else of the deployment. */
const shape = `coalesce($3, w."shape"::text, $4)`
const revision = `LEFT JOIN "Revision" c ON c."workspaceId" = k."workspaceId"`

const purchaseParts = {
  purchase: record<PurchaseRow>('p', readFields.purchase),
  summary: record<StoredRow>('r', readFields.itemSummary),
  extended: item,
}
const purchaseJoins = `LEFT JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" AND p."code" = $2
        AND (NOT ${isBound} OR EXISTS (SELECT 1 FROM "ApiKeyItem" b
          WHERE b."workspaceId" = k."workspaceId" AND b."keyId" = k."id" AND b."itemId" = p."itemId"))
      LEFT JOIN "Item" r ON r."workspaceId" = p."workspaceId" AND r."id" = p."itemId" AND ${shape} = 'base'
      LEFT JOIN "Item" i ON i."workspaceId" = p."workspaceId" AND i."id" = p."itemId" AND ${shape} = 'extended'`

export const statements = {
  /** key */
  account: statement(
    { account: record<StoredRow>('a', readFields.account) },
    'LEFT JOIN "Account" a ON a."id" = w."accountId"',
  ),

  /** key, item */
  item: statement(
    { item },
    `LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND i."id" = $2 AND i."withdrawnAt" IS NULL`,
  ),

  /** key, code, shape of the request, shape of the deployment: what the other shape needs is not read */
  purchase: statement(purchaseParts, purchaseJoins),

  /** The same, and ids of signing keys */
  passedPurchase: statement({ ...purchaseParts, signingKey }, purchaseJoins),

  /** key */
  list: statement(
    { catalogue, item },
    `${revision} LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND i."withdrawnAt" IS NULL`,
    'ORDER BY i."publishedAt" DESC, i."id" DESC',
  ),

  /** key: with the catalogue of its workspace. Reads no item, but fails while they are locked: `/readyz` says so of all lists */
  head: statement({ catalogue }, `${revision} LEFT JOIN "Item" i ON FALSE`),
} as const

/** The rows of a guarded statement; those of a standby are none. */
export function rowsOfPrimary(rows: readonly RawRow[]): readonly RawRow[] {
  const [first] = rows
  if (first?.at(-1) !== 'f') throw notPrimary()
  return first[0] == null ? [] : rows
}
