import type { ErrorCode, OperationName } from '@saleproof/schema'
import type { FailedCodeReason, LastUsedBy } from '@saleproof/schema/console'
import { type SqlSteps, select } from '../db/sql-steps.ts'
import type { CountKind, CountRow } from './counts.ts'
import type { KeyAddress } from './key-addresses.ts'

export interface KeyUse extends LastUsedBy {
  /** In milliseconds since 1970. */
  at: number
}

export interface LastUse {
  at: Date
  by: LastUsedBy | null
}

export type LastUses = ReadonlyMap<string, LastUse>

/** Reads the last uses of some keys, or of all: a deployment may have far more keys than a workspace. */
export type ReadLastUses = (keyIds?: readonly string[]) => Promise<LastUses>

/** From how many addresses keys were used in the last day, at least. */
export type AddressCounts = ReadonlyMap<string, number>

export type ReadAddressCounts = (keyIds: readonly string[]) => Promise<AddressCounts>

interface AddressCountRow {
  keyId: string
  /** A text in PostgreSQL. */
  count: number | string
}

export const addressCountsOf = (rows: readonly AddressCountRow[]): AddressCounts =>
  new Map(rows.map(({ keyId, count }) => [keyId, Number(count)]))

/** `operation` and `client` are null for uses from before they were stored. */
export interface KeyUseRow {
  keyId: string
  lastUsedAt: number | string
  operation: OperationName | null
  client: string | null
}

export const lastUsesOf = (rows: readonly KeyUseRow[]): LastUses =>
  new Map(
    rows.map(({ keyId, lastUsedAt, operation, client }) => [
      keyId,
      { at: new Date(Number(lastUsedAt)), by: operation && { operation, client: client ?? '' } },
    ]),
  )

export interface StatisticsQuery {
  workspaceId: number
  /** Hours since 1970; the first is included, the last is not. */
  from: number
  to: number
}

export interface Statistics {
  rows: readonly { hour: number; kind: CountKind; name: string; code: ErrorCode | ''; count: number }[]
  /** The items with the most validations; `rows` contains no other items. */
  items: readonly string[]
  /** What happened until then is included. In milliseconds since 1970; undefined where nothing was written yet. */
  flushedAt: number | undefined
}

const maxItems = 20
const hours = `FROM "Counts" WHERE "workspaceId" = $1 AND "hour" >= $2 AND "hour" < $3`

export function* readStatistics({ workspaceId, from, to }: StatisticsQuery): SqlSteps<Statistics> {
  const range = [workspaceId, from, to]
  const top = yield* select<{ name: string }>(
    `SELECT "name" ${hours} AND "kind" = 'item'
     GROUP BY "name" ORDER BY sum("count") DESC, "name" LIMIT ${maxItems}`,
    ...range,
  )
  const items = top.map(({ name }) => name)
  const rows = yield* select<Statistics['rows'][number]>(
    `SELECT "hour", "kind", "name", "code", "count" ${hours}
     AND ("kind" <> 'item' OR "name" IN (${['NULL', ...items.map((_, index) => `$${index + 4}`)].join(', ')}))`,
    ...range,
    ...items,
  )
  const [written] = yield* select<{ at: number }>('SELECT "at" FROM "CountsWritten"')
  return { rows, items, flushedAt: written?.at }
}

/** How often a purchase was validated, and when for the first and the last time, in milliseconds since 1970. */
export interface PurchaseUseTotal {
  firstAt: number
  lastAt: number
  count: number
}

/** Validations of a purchase that are to be added to its total. */
export interface PurchaseUse extends PurchaseUseTotal {
  /** Its `purchaseRef`. */
  purchase: string
  itemId: number
}

/** How long a removal keeps validations from before it from being stored; a process writes them within a minute. */
export const removalMs = 24 * 3_600_000

/** `ItemRemoval` has a removed purchase under a number that no item has, made from its `purchaseRef`. */
export const removalNumber = (purchase: string) => -Buffer.from(purchase, 'base64url').readUIntBE(0, 6)

/** Validations of one code that failed for one reason. */
export interface FailedCode {
  workspaceId: number
  reason: FailedCodeReason
  /** A keyed hash of the code that was sent. */
  hash: string
  /** That code, encrypted: base64url. */
  sealed: string
  /** The key that was used last. */
  keyId: string
  lastAt: number
  count: number
}

export interface FailedCodesQuery {
  workspaceId: number
  reason: FailedCodeReason
  /** Codes that failed last before this are left out. */
  since: number
}

/** As many codes are kept for each workspace and reason, those of the last failures. */
export const maxFailedCodes = 50
/** No code is kept longer after it failed last. */
export const failedCodesMs = 30 * 24 * 3_600_000

export function* addFailedCodes(failed: readonly FailedCode[], now: number): SqlSteps<void> {
  for (const { workspaceId, reason, hash, sealed, keyId, lastAt, count } of failed)
    yield [
      `INSERT INTO "FailedCode" ("workspaceId", "reason", "hash", "sealed", "keyId", "lastAt", "count") VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT ("workspaceId", "reason", "hash") DO UPDATE SET "sealed" = EXCLUDED."sealed", "keyId" = EXCLUDED."keyId",
         "lastAt" = EXCLUDED."lastAt", "count" = "FailedCode"."count" + EXCLUDED."count"`,
      workspaceId,
      reason,
      hash,
      sealed,
      keyId,
      lastAt,
      count,
    ]
  const groups = new Map(
    failed.map(({ workspaceId, reason }) => [`${reason} ${workspaceId}`, [workspaceId, reason]]),
  )
  for (const group of groups.values())
    yield [
      `DELETE FROM "FailedCode" WHERE "workspaceId" = $1 AND "reason" = $2 AND "hash" NOT IN (SELECT "hash" FROM "FailedCode"
         WHERE "workspaceId" = $1 AND "reason" = $2 ORDER BY "lastAt" DESC, "hash" LIMIT ${maxFailedCodes})`,
      ...group,
    ]
  yield ['DELETE FROM "FailedCode" WHERE "lastAt" < $1', now - failedCodesMs]
}

export function* readFailedCodes({
  workspaceId,
  reason,
  since,
}: FailedCodesQuery): SqlSteps<readonly FailedCode[]> {
  return yield* select<FailedCode>(
    `SELECT "workspaceId", "reason", "hash", "sealed", "keyId", "lastAt", "count" FROM "FailedCode"
     WHERE "workspaceId" = $1 AND "reason" = $2 AND "lastAt" >= $3 ORDER BY "lastAt" DESC, "hash"`,
    workspaceId,
    reason,
    since,
  )
}

/** Keeps what processes have yet to write of an item, or of a purchase, from being stored. */
export function* noteRemoval(number: number, at: number): SqlSteps<void> {
  yield [
    `INSERT INTO "ItemRemoval" ("itemId", "at") VALUES ($1, $2)
     ON CONFLICT ("itemId") DO UPDATE SET "at" = EXCLUDED."at"`,
    number,
    at,
  ]
  yield ['DELETE FROM "ItemRemoval" WHERE "at" < $1', at - removalMs]
}

/** What is kept of the validations of a purchase. */
export interface ForgottenPurchase {
  workspaceId: number
  /** Its `purchaseRef`. */
  purchase: string
  /** The keyed hash of its code, as of one that failed. */
  hash: string
  /** When it was removed. */
  at: number
}

export function* forgetPurchase({ workspaceId, purchase, hash, at }: ForgottenPurchase): SqlSteps<void> {
  yield* noteRemoval(removalNumber(purchase), at)
  yield ['DELETE FROM "PurchaseUse" WHERE "purchase" = $1', purchase]
  yield ['DELETE FROM "FailedCode" WHERE "workspaceId" = $1 AND "hash" = $2', workspaceId, hash]
}

/** A bigint is a text in PostgreSQL. */
export const purchaseUseOf = (
  row: Record<keyof PurchaseUseTotal, number | string> | undefined,
): PurchaseUseTotal | undefined =>
  row && { firstAt: Number(row.firstAt), lastAt: Number(row.lastAt), count: Number(row.count) }

/** Stores the last uses of keys, a few minutes behind, and the validation counts, a second behind; those of items later while over 500 sell in a second. */
export interface UsageStore {
  /** Keeps the later of the stored and the new use of each key, and of each of its slots. */
  recordKeyUse: (uses: ReadonlyMap<string, KeyUse>, addresses?: readonly KeyAddress[]) => void | Promise<void>
  /** How many slots of each key were used since an hour; a key without any is left out. */
  addressCounts: (keyIds: readonly string[], hour: number) => AddressCounts | Promise<AddressCounts>
  appendCounts: (rows: readonly CountRow[], at: number) => void | Promise<void>
  /** Adds appended counts to their hours. */
  rollUp: () => void | Promise<void>
  /** Deletes the counts of the first hour that has any, if that is before the oldest one to keep. */
  prune: (oldestHour: number) => void | Promise<void>
  statistics: (query: StatisticsQuery) => Statistics | Promise<Statistics>
  /** Adds validations to their purchases, unless the item was removed since. */
  recordPurchaseUse: (uses: readonly PurchaseUse[]) => void | Promise<void>
  purchaseUse: (purchase: string) => PurchaseUseTotal | undefined | Promise<PurchaseUseTotal | undefined>
  /** Adds failures to their codes, and deletes those of old ones. */
  recordFailedCodes: (failed: readonly FailedCode[], now: number) => void | Promise<void>
  /** Those of the last failures first. */
  failedCodes: (query: FailedCodesQuery) => readonly FailedCode[] | Promise<readonly FailedCode[]>
  /** Deletes the validations of an item's purchases, including those that a process has yet to write. */
  forgetItem: (itemId: number, at: number) => void | Promise<void>
  forgetPurchase: (forgotten: ForgottenPurchase) => void | Promise<void>
}
