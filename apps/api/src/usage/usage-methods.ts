import type { Sql } from '../db/sql.ts'
import { hourMs } from './counts.ts'
import { removalNumber } from './purchase-use.ts'
import { isListed, listed, toKeys, upsert } from './upsert.ts'
import type {
  FailedCode,
  FailedCodesQuery,
  ForgottenPurchase,
  KeyUse,
  LastUse,
  PurchaseUse,
  PurchaseUseTotal,
  Statistics,
  StatisticsQuery,
  UsageBatch,
} from './usage-store.ts'

/** Addresses are counted for this many hours. */
const addressHours = 24
/** 90 days, and the start of the oldest of them in any time zone. */
const keepHours = 92 * 24
const maxItems = 20
/** As many codes are kept for each workspace and reason, those of the last failures. */
export const maxFailedCodes = 50
/** No code is kept longer after it failed last. */
const failedCodesMs = 30 * 24 * 3_600_000
/** A visitor who has not validated a code for longer is not known by it any more. */
const knownCodesMs = 30 * 24 * 3_600_000
/** How long a removal keeps validations from before it from being stored; a process writes them within a minute. */
const removalMs = 24 * 3_600_000

const purchaseColumns = ['purchase', 'itemId', 'firstAt', 'lastAt', 'count'] as const
const failedColumns = ['workspaceId', 'reason', 'hash', 'sealed', 'keyId', 'lastAt', 'count'] as const

const toHour = (at: number) => Math.floor(at / hourMs)

/** Begins each transaction that writes: on a server, one after the other goes on from here. */
const lock = 'UPDATE "CountsWritten" SET "at" = "at"'

const writtenAt = `INSERT INTO "CountsWritten" ("id", "at") VALUES (1, $1)
  ON CONFLICT ("id") DO UPDATE SET "at" = EXCLUDED."at" WHERE EXCLUDED."at" > "CountsWritten"."at"`

const recordKeyUses = (sql: Sql, keyUses: UsageBatch['keyUses']) =>
  upsert(sql, {
    table: 'KeyUse',
    columns: ['keyId', 'lastUsedAt', 'operation', 'client'],
    rows: keyUses.map(({ keyId, at, operation, client }) => [keyId, at, operation, client]),
    key: ['keyId'],
    change: `"lastUsedAt" = EXCLUDED."lastUsedAt", "operation" = EXCLUDED."operation", "client" = EXCLUDED."client"
       WHERE EXCLUDED."lastUsedAt" >= "KeyUse"."lastUsedAt"`,
  })

async function recordAddresses(sql: Sql, addresses: UsageBatch['addresses'], now: number) {
  if (addresses.length === 0) return
  await upsert(sql, {
    table: 'KeyAddress',
    columns: ['keyId', 'slot', 'hour'],
    rows: addresses.map(({ keyId, slot, hour }) => [keyId, slot, hour]),
    key: ['keyId', 'slot'],
    change: `"hour" = EXCLUDED."hour" WHERE EXCLUDED."hour" > "KeyAddress"."hour"`,
  })
  const keyIds = [...new Set(addresses.map(({ keyId }) => keyId))]
  await sql.run(
    `DELETE FROM "KeyAddress" WHERE ${isListed} AND "hour" <= $2`,
    toKeys(keyIds),
    toHour(now) - addressHours,
  )
}

const recordCounts = (sql: Sql, rows: UsageBatch['counts']) =>
  upsert(sql, {
    table: 'Counts',
    columns: ['workspaceId', 'hour', 'kind', 'name', 'code', 'count'],
    rows,
    key: ['workspaceId', 'hour', 'kind', 'name', 'code'],
    change: `"count" = "Counts"."count" + EXCLUDED."count"`,
  })

/** When each item and purchase was removed; -1 for what was not. */
async function readRemovals(sql: Sql) {
  const rows = await sql.query<{ itemId: number; at: number }>('SELECT "itemId", "at" FROM "ItemRemoval"')
  const removedAt = new Map(rows.map(({ itemId, at }) => [itemId, at]))
  return (number: number) => removedAt.get(number) ?? -1
}

/** Leaves out what was validated before the item, or the purchase itself, was removed. */
async function recordPurchases(sql: Sql, purchases: UsageBatch['purchases']) {
  if (purchases.length === 0) return
  const removedAt = await readRemovals(sql)
  const isKept = ({ removal, itemId, lastAt }: PurchaseUse) =>
    [itemId, removal].every((number) => removedAt(number) < lastAt)
  await upsert(sql, {
    table: 'PurchaseUse',
    columns: purchaseColumns,
    rows: purchases.filter(isKept).map((use) => purchaseColumns.map((column) => use[column])),
    key: ['purchase'],
    change: `"count" = "PurchaseUse"."count" + EXCLUDED."count",
       "firstAt" = CASE WHEN EXCLUDED."firstAt" < "PurchaseUse"."firstAt" THEN EXCLUDED."firstAt" ELSE "PurchaseUse"."firstAt" END,
       "lastAt" = CASE WHEN EXCLUDED."lastAt" > "PurchaseUse"."lastAt" THEN EXCLUDED."lastAt" ELSE "PurchaseUse"."lastAt" END`,
  })
}

/** Leaves out codes that failed before their purchase was removed. */
async function recordFailed(sql: Sql, all: UsageBatch['failed']) {
  if (all.length === 0) return
  const removedAt = await readRemovals(sql)
  const failed = all.filter(({ hash, lastAt }) => removedAt(removalNumber(hash)) < lastAt)
  await upsert(sql, {
    table: 'FailedCode',
    columns: failedColumns,
    rows: failed.map((code) => failedColumns.map((column) => code[column])),
    key: ['workspaceId', 'reason', 'hash'],
    change: `"sealed" = EXCLUDED."sealed", "keyId" = EXCLUDED."keyId", "lastAt" = EXCLUDED."lastAt",
       "count" = "FailedCode"."count" + EXCLUDED."count"`,
  })
  const groups = new Map(failed.map((code) => [`${code.reason} ${code.workspaceId}`, code]))
  for (const { workspaceId, reason } of groups.values())
    await sql.run(
      `DELETE FROM "FailedCode" WHERE "workspaceId" = $1 AND "reason" = $2 AND "hash" NOT IN (SELECT "hash" FROM "FailedCode"
         WHERE "workspaceId" = $1 AND "reason" = $2 ORDER BY "lastAt" DESC, "hash" LIMIT ${maxFailedCodes})`,
      workspaceId,
      reason,
    )
}

/** Keeps what processes have yet to write of an item, or of a purchase, from being stored. */
async function noteRemoval(sql: Sql, number: number, at: number) {
  await sql.run(lock)
  await sql.run(
    `INSERT INTO "ItemRemoval" ("itemId", "at") VALUES ($1, $2)
     ON CONFLICT ("itemId") DO UPDATE SET "at" = EXCLUDED."at"`,
    number,
    at,
  )
  await sql.run('DELETE FROM "ItemRemoval" WHERE "at" < $1', at - removalMs)
}

const inHours = `FROM "Counts" WHERE "workspaceId" = $1 AND "hour" >= $2 AND "hour" < $3`

/** What is done with the usage of a deployment, in the statements that both databases take. Each runs in a transaction of its own. */
export const usageMethods = {
  /** Keeps the later use of each key and slot; adds counts, and validations unless their item was removed since. */
  async record(sql: Sql, batch: Partial<UsageBatch>, now: number): Promise<void> {
    await sql.run(writtenAt, now)
    await recordKeyUses(sql, batch.keyUses ?? [])
    await recordAddresses(sql, batch.addresses ?? [], now)
    await recordCounts(sql, batch.counts ?? [])
    await recordPurchases(sql, batch.purchases ?? [])
    await recordFailed(sql, batch.failed ?? [])
    await upsert(sql, {
      table: 'KnownCode',
      columns: ['ref', 'at'],
      rows: (batch.known ?? []).map(({ ref, at }) => [ref, at]),
      key: ['ref'],
      change: '"at" = EXCLUDED."at"',
    })
  },

  /** The last uses of some keys, or of all: a deployment may have far more keys than a workspace. */
  async lastUses(sql: Sql, keyIds?: readonly string[]): Promise<ReadonlyMap<string, LastUse>> {
    const read = 'SELECT "keyId", "lastUsedAt" AS "at", "operation", "client" FROM "KeyUse"'
    const found = await (keyIds
      ? sql.query<KeyUse>(`${read} WHERE ${isListed}`, toKeys(keyIds))
      : sql.query<KeyUse>(read))
    return new Map(found.map(({ keyId, at, ...by }) => [keyId, { at: new Date(at), by }]))
  },

  /** From how many addresses keys were used in the last day, at least; a key without any is left out. */
  async addressCounts(
    sql: Sql,
    keyIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, number>> {
    const found = await sql.query<{ keyId: string; count: number }>(
      `SELECT "keyId", count(*) AS "count" FROM "KeyAddress" WHERE ${isListed} AND "hour" > $2 GROUP BY "keyId"`,
      toKeys(keyIds),
      toHour(now) - addressHours,
    )
    return new Map(found.map(({ keyId, count }) => [keyId, count]))
  },

  async statistics(sql: Sql, { workspaceId, from, to }: StatisticsQuery): Promise<Statistics> {
    const range = [workspaceId, from, to]
    const top = await sql.query<{ name: string }>(
      `SELECT "name" ${inHours} AND "kind" = 'item'
       GROUP BY "name" ORDER BY sum("count") DESC, "name" LIMIT ${maxItems}`,
      ...range,
    )
    const items = top.map(({ name }) => name)
    const rows = await sql.query<Statistics['rows'][number]>(
      `SELECT "hour", "kind", "name", "code", "count" ${inHours}
       AND ("kind" <> 'item' OR "name" IN (${['NULL', ...items.map((_, index) => `$${index + 4}`)].join(', ')}))`,
      ...range,
      ...items,
    )
    const [written] = await sql.query<{ at: number }>('SELECT "at" FROM "CountsWritten"')
    return { rows, items, flushedAt: written?.at }
  },

  async purchaseUse(sql: Sql, purchase: string): Promise<PurchaseUseTotal | undefined> {
    const read = 'SELECT "firstAt", "lastAt", "count" FROM "PurchaseUse" WHERE "purchase" = $1'
    const [use] = await sql.query<PurchaseUseTotal>(read, purchase)
    return use
  },

  async isKnownCode(sql: Sql, ref: string, now: number): Promise<boolean> {
    const found = await sql.query(
      'SELECT 1 FROM "KnownCode" WHERE "ref" = $1 AND "at" >= $2',
      ref,
      now - knownCodesMs,
    )
    return found.length > 0
  },

  /** Those of the last failures first. */
  async failedCodes(
    sql: Sql,
    { workspaceId, reason, now }: FailedCodesQuery,
  ): Promise<readonly FailedCode[]> {
    return sql.query<FailedCode>(
      `SELECT ${listed(failedColumns)} FROM "FailedCode"
       WHERE "workspaceId" = $1 AND "reason" = $2 AND "lastAt" >= $3 ORDER BY "lastAt" DESC, "hash"`,
      workspaceId,
      reason,
      now - failedCodesMs,
    )
  },

  /** Deletes old codes, and the counts of one old hour: all at once would be lost to a clock that is briefly months ahead. */
  async prune(sql: Sql, now: number): Promise<void> {
    await sql.run(lock)
    await sql.run(
      'DELETE FROM "Counts" WHERE "hour" < $1 AND "hour" = (SELECT min("hour") FROM "Counts")',
      toHour(now) - keepHours,
    )
    await sql.run('DELETE FROM "FailedCode" WHERE "lastAt" < $1', now - failedCodesMs)
    await sql.run('DELETE FROM "KnownCode" WHERE "at" < $1', now - knownCodesMs)
  },

  /** Deletes the validations of an item's purchases, including those that a process has yet to write. */
  async forgetItem(sql: Sql, itemId: number, at: number): Promise<void> {
    await noteRemoval(sql, itemId, at)
    await sql.run('DELETE FROM "PurchaseUse" WHERE "itemId" = $1', itemId)
  },

  async forgetPurchase(sql: Sql, forgotten: ForgottenPurchase): Promise<void> {
    const { workspaceId, purchase, removal, hash, at } = forgotten
    await noteRemoval(sql, removal, at)
    await noteRemoval(sql, removalNumber(hash), at)
    await sql.run('DELETE FROM "PurchaseUse" WHERE "purchase" = $1', purchase)
    await sql.run('DELETE FROM "FailedCode" WHERE "workspaceId" = $1 AND "hash" = $2', workspaceId, hash)
  },
}
