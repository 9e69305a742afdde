import { NotPrimary } from '../../../db/postgres/primary.ts'
import type { StoredKey } from '../../../domain/api-keys.ts'
import type { AccountRow, ItemRow, PurchaseRow } from '../rows.ts'
import type { RawRow } from './raw-query.ts'

// The four operations, each as one statement: key and answer are of one state of the database, and come with one message there and back.

const isBound = `EXISTS (SELECT 1 FROM "ApiKeyItem" b WHERE b."workspaceId" = k."workspaceId" AND b."keyId" = k."id")`

/** In the order in which they are read below. */
const holderColumns = [
  ...['k."id"', 'k."workspaceId"', 'k."publishable"', isBound, 'w."shape"', 'w."locale"'],
  ...['k."revokedAt" IS NOT NULL', `floor(extract(epoch FROM k."expiresAt") * 1000)::bigint`],
]

const accountNames = [
  ...[
    'username',
    'email',
    'firstname',
    'lastname',
    'fullName',
    'balance',
    'currency',
    'heading',
    'description',
  ],
  ...['contactEmail', 'socialLinks', 'avatar', 'cover', 'registeredAt'],
]

const itemNames = [
  ...[
    'id',
    'kind',
    'name',
    'description',
    'category',
    'subCategory',
    'options',
    'version',
    'demoLink',
    'tags',
  ],
  ...[
    'thumbnail',
    'previewImage',
    'previewVideo',
    'previewAudio',
    'screenshots',
    'priceRegular',
    'priceExtended',
  ],
  ...['currency', 'url', 'support', 'publishedAt'],
]

const purchaseNames = [
  ...['code', 'itemId', 'licenseType', 'price', 'currency', 'supportedUntil', 'downloaded', 'date', 'state'],
]

const reducedNames = ['name', 'url', 'previewImage']

const columns = (table: string, names: readonly string[]) => names.map((name) => `${table}."${name}"`)

const holder = '"ApiKey" k JOIN "Workspace" w ON w."id" = k."workspaceId"'
const isStandby = 'SELECT pg_is_in_recovery() AS "standby"'

/** Where a statement begins, and which rows it is about. */
interface Form {
  from: string
  where: string
  /** What is asked for after everything else. */
  last: readonly string[]
}

const plain: Form = { from: holder, where: 'WHERE k."keyHash" = $1', last: [] }

/** There is always a row, whose last column says whether a standby answers: what that does not know may be there all the same. */
const guarded: Form = {
  from: `(${isStandby}) s LEFT JOIN (${holder}) ON k."keyHash" = $1`,
  where: '',
  last: ['s."standby"'],
}

/** Of the request, of the workspace, of the deployment. */
const shape = `coalesce($3, w."shape"::text, $4)`
const revision = `LEFT JOIN "Revision" c ON c."workspaceId" = k."workspaceId"`
const itemById = `LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND i."id" = $2`

function textsOf({ from, where, last }: Form) {
  const select = (names: readonly string[]) =>
    `SELECT ${[...holderColumns, ...names, ...last].join(', ')} FROM ${from}`

  return {
    /** key */
    account: `${select(columns('a', accountNames))} LEFT JOIN "Account" a ON a."id" = w."accountId" ${where}`,

    /** key, item */
    item: `${select(columns('i', itemNames))} ${itemById} ${where}`,

    /** key, code, shape of the request, shape of the deployment: what the other shape needs is not read */
    purchase: `${select([...columns('p', purchaseNames), ...columns('r', reducedNames), ...columns('i', itemNames)])}
      LEFT JOIN "Purchase" p ON p."workspaceId" = k."workspaceId" AND p."code" = $2
        AND (NOT ${isBound} OR EXISTS (SELECT 1 FROM "ApiKeyItem" b
          WHERE b."workspaceId" = k."workspaceId" AND b."keyId" = k."id" AND b."itemId" = p."itemId"))
      LEFT JOIN "Item" r ON r."id" = p."itemId" AND ${shape} = 'base'
      LEFT JOIN "Item" i ON i."id" = p."itemId" AND ${shape} = 'extended' ${where}`,

    /** key, the catalogue that is known: its items are not read again */
    list: `${select(['c."catalogue"', ...columns('i', itemNames)])} ${revision}
      LEFT JOIN "Item" i ON i."workspaceId" = k."workspaceId" AND c."catalogue" IS DISTINCT FROM $2
      ${where} ORDER BY i."publishedAt" DESC, i."id" DESC`,

    /** key: who holds it, and which catalogue there is */
    head: `${select(['c."catalogue"'])} ${revision} ${where}`,

    /** key, item: with the catalogue that it is of */
    itemOfCatalogue: `${select(['c."catalogue"', ...columns('i', itemNames)])} ${revision} ${itemById} ${where}`,
  } as const
}

/** The questions to a server that a connection always leads to. */
export const plainTexts = textsOf(plain)

/** The questions where each may be answered by another server than the one before. */
export const guardedTexts = textsOf(guarded)

export type Texts = typeof plainTexts

/** The rows of an answer to a guarded question; those of a standby are none. */
export function rowsOfPrimary(rows: readonly RawRow[]): readonly RawRow[] {
  const [first] = rows
  if (first?.at(-1) !== 'f') throw new NotPrimary()
  return first[0] == null ? [] : rows
}

/** Where the columns of a statement begin that are not the holder's. */
export const afterHolder = holderColumns.length

/** Where the catalogue is, and the items of it, in the answers that have both. */
export const catalogueAt = afterHolder
export const catalogueItemAt = afterHolder + 1

export function holderOf(row: RawRow): StoredKey {
  const [id, workspaceId, publishable, bound, own, locale, revoked, expiresAt] = row
  return {
    keyId: id!,
    workspaceId: workspaceId!,
    publishable: publishable === 't',
    bound: bound === 't',
    shape: own as StoredKey['shape'],
    locale: locale as StoredKey['locale'],
    revoked: revoked === 't',
    expiresAt: expiresAt == null ? undefined : Number(expiresAt),
  }
}

const eraMark = 'C'

/** `2024-04-27 12:00:00+00` as rows have it: what is past the second is not looked at. */
function moment(text: string): string {
  // `0001-01-01 00:00:00+00 BC` is the year 0000.
  const date = text.endsWith(eraMark) ? `0000${text.slice(4, 10)}` : text.slice(0, 10)
  return `${date}T${text.slice(11, 19)}`
}

export function accountOf(row: RawRow): AccountRow | undefined {
  const from = afterHolder
  if (row[from] == null) return undefined
  const account = Object.fromEntries(
    accountNames.map((name, index) => [name, row[from + index]!]),
  ) as AccountRow
  account.balance = Number(account.balance)
  account.registeredAt = `${moment(account.registeredAt as string)}Z`
  return account
}

/** An item whose columns begin at a place; undefined where there is none. */
export function itemOf(row: RawRow, from: number): ItemRow | undefined {
  if (row[from] == null) return undefined
  return {
    id: Number(row[from]),
    kind: row[from + 1] as ItemRow['kind'],
    name: row[from + 2]!,
    description: row[from + 3]!,
    category: row[from + 4]!,
    subCategory: row[from + 5]!,
    options: row[from + 6]!,
    version: row[from + 7]!,
    demoLink: row[from + 8]!,
    tags: row[from + 9]!,
    thumbnail: row[from + 10]!,
    previewImage: row[from + 11]!,
    previewVideo: row[from + 12]!,
    previewAudio: row[from + 13]!,
    screenshots: row[from + 14]!,
    priceRegular: Number(row[from + 15]),
    priceExtended: Number(row[from + 16]),
    currency: row[from + 17]!,
    url: row[from + 18]!,
    support: row[from + 19] === 't' ? 1 : 0,
    publishedAt: moment(row[from + 20]!),
  }
}

export function purchaseOf(row: RawRow): PurchaseRow | undefined {
  const from = afterHolder
  if (row[from] == null) return undefined
  const supportedUntil = row[from + 5]
  return {
    code: row[from]!,
    itemId: Number(row[from + 1]),
    licenseType: row[from + 2]!,
    price: Number(row[from + 3]),
    currency: row[from + 4]!,
    supportedUntil: supportedUntil == null ? null : moment(supportedUntil),
    downloaded: row[from + 6] === 't' ? 1 : 0,
    date: moment(row[from + 7]!),
    state: row[from + 8] as PurchaseRow['state'],
  }
}

const afterPurchase = afterHolder + purchaseNames.length

/** The item of a purchase in the base shape; undefined where the statement took the other one. */
export function reducedOf(row: RawRow, id: number) {
  const name = row[afterPurchase]
  return name == null
    ? undefined
    : { id, name, url: row[afterPurchase + 1]!, previewImage: row[afterPurchase + 2]! }
}

export const afterReduced = afterPurchase + reducedNames.length
