import type { ClientBase, Pool } from 'pg'
import { runStepsOn } from '../db/postgres/row-types.ts'
import { type CountRow, hourMs, sum } from './counts.ts'
import { addressHours, type KeyAddress } from './key-addresses.ts'
import {
  addFailedCodes,
  addressCountsOf,
  type FailedCode,
  forgetPurchase,
  type KeyUse,
  type KeyUseRow,
  type LastUses,
  lastUsesOf,
  noteRemoval,
  purchaseUseOf,
  readFailedCodes,
  readStatistics,
  removalNumber,
  type UsageStore,
} from './usage-store.ts'

/** One instance at a time rolls up: two that update the same rows could deadlock. */
const lockRollUp = `SELECT 1 FROM "CountsWritten" WHERE "id" = 1 FOR UPDATE`

const addCounts = `INSERT INTO "Counts" ("workspaceId", "hour", "kind", "name", "code", "count")
  SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  ON CONFLICT ("workspaceId", "hour", "kind", "name", "code") DO UPDATE SET "count" = "Counts"."count" + EXCLUDED."count"`

const upsertKeyUse = `INSERT INTO "KeyUse" ("keyId", "lastUsedAt", "operation", "client")
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[])
  ON CONFLICT ("keyId") DO UPDATE
  SET "lastUsedAt" = EXCLUDED."lastUsedAt", "operation" = EXCLUDED."operation", "client" = EXCLUDED."client"
  WHERE EXCLUDED."lastUsedAt" >= "KeyUse"."lastUsedAt"`

const upsertAddresses = `INSERT INTO "KeyAddress" ("keyId", "slot", "hour")
  SELECT * FROM unnest($1::text[], $2::int[], $3::int[])
  ON CONFLICT ("keyId", "slot") DO UPDATE SET "hour" = EXCLUDED."hour" WHERE EXCLUDED."hour" > "KeyAddress"."hour"`

const dropAddresses = `DELETE FROM "KeyAddress" a USING unnest($1::text[], $2::bigint[]) AS u("keyId", "at")
  WHERE a."keyId" = u."keyId" AND a."hour" <= u."at" / ${hourMs} - ${addressHours}`

async function recordKeyUse(
  client: ClientBase,
  uses: ReadonlyMap<string, KeyUse>,
  addresses: readonly KeyAddress[],
) {
  // In the same order in every instance, to avoid deadlocks. The rows of addresses are behind the locks of their keys.
  const sorted = [...uses].sort(([one], [other]) => (one < other ? -1 : 1))
  const keyIds = sorted.map(([keyId]) => keyId)
  const times = sorted.map(([, { at }]) => at)
  await client.query(upsertKeyUse, [
    keyIds,
    times,
    sorted.map(([, { operation }]) => operation),
    sorted.map(([, { client }]) => client),
  ])
  if (addresses.length === 0) return
  await client.query(dropAddresses, [keyIds, times])
  await client.query(upsertAddresses, [
    addresses.map(({ keyId }) => keyId),
    addresses.map(({ slot }) => slot),
    addresses.map(({ hour }) => hour),
  ])
}

const addPurchaseUse = `INSERT INTO "PurchaseUse" ("purchase", "itemId", "firstAt", "lastAt", "count")
  SELECT u."purchase", u."itemId", u."firstAt", u."lastAt", u."count"
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
      AS u("purchase", "itemId", "firstAt", "lastAt", "count", "removal")
    WHERE NOT EXISTS (SELECT 1 FROM "ItemRemoval" r WHERE r."itemId" IN (u."itemId", u."removal") AND r."at" >= u."lastAt")
  ON CONFLICT ("purchase") DO UPDATE
  SET "firstAt" = least("PurchaseUse"."firstAt", EXCLUDED."firstAt"),
    "lastAt" = greatest("PurchaseUse"."lastAt", EXCLUDED."lastAt"), "count" = "PurchaseUse"."count" + EXCLUDED."count"`

async function rollUp(client: ClientBase) {
  await client.query(lockRollUp)
  const { rows } = await client.query<{ rows: CountRow[] }>('DELETE FROM "CountBatch" RETURNING "rows"')
  const sums = sum(rows.map((batch) => batch.rows))
  if (sums.length)
    await client.query(
      addCounts,
      [0, 1, 2, 3, 4, 5].map((column) => sums.map((sum) => sum[column])),
    )
}

const idOf = ({ workspaceId, reason, hash }: FailedCode) => `${workspaceId} ${reason} ${hash}`

/** Usage in tables of its own. Any number of instances write to them at the same time. */
export function createPostgresUsageStore(pool: Pool): UsageStore {
  async function inTransaction(act: (client: ClientBase) => Promise<void>) {
    const client = await pool.connect()
    let failed = true
    try {
      // A power loss costs a second of counts. No request waits for a lock here, so other instances may hold it for longer than a read waits.
      await client.query('BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = 2000')
      await act(client)
      await client.query('COMMIT')
      failed = false
    } finally {
      // Closes a connection after an error, which ends its transaction.
      client.release(failed)
    }
  }

  return {
    recordKeyUse: (uses, addresses = []) => inTransaction((client) => recordKeyUse(client, uses, addresses)),

    async addressCounts(keyIds, hour) {
      const { rows } = await pool.query(
        `SELECT "keyId", count(*) AS "count" FROM "KeyAddress"
         WHERE "keyId" = ANY($1::text[]) AND "hour" >= $2 GROUP BY "keyId"`,
        [keyIds, hour],
      )
      return addressCountsOf(rows)
    },

    appendCounts: (rows, at) =>
      inTransaction(async (client) => {
        await client.query('INSERT INTO "CountBatch" ("rows") VALUES ($1)', [JSON.stringify(rows)])
        await client.query(
          `INSERT INTO "CountsWritten" ("id", "at") VALUES (1, $1)
           ON CONFLICT ("id") DO UPDATE SET "at" = greatest("CountsWritten"."at", EXCLUDED."at")`,
          [at],
        )
      }),

    rollUp: () => inTransaction(rollUp),

    async prune(oldestHour) {
      await pool.query(
        'DELETE FROM "Counts" WHERE "hour" < $1 AND "hour" = (SELECT min("hour") FROM "Counts")',
        [oldestHour],
      )
    },

    statistics: (query) => runStepsOn(pool, readStatistics(query)),

    recordPurchaseUse: (uses) =>
      inTransaction(async (client) => {
        // In the same order in every instance, to avoid deadlocks.
        const sorted = [...uses].sort((one, other) => (one.purchase < other.purchase ? -1 : 1))
        await client.query(addPurchaseUse, [
          sorted.map(({ purchase }) => purchase),
          sorted.map(({ itemId }) => itemId),
          sorted.map(({ firstAt }) => firstAt),
          sorted.map(({ lastAt }) => lastAt),
          sorted.map(({ count }) => count),
          sorted.map(({ purchase }) => removalNumber(purchase)),
        ])
      }),

    async purchaseUse(purchase) {
      const { rows } = await pool.query(
        'SELECT "firstAt", "lastAt", "count" FROM "PurchaseUse" WHERE "purchase" = $1',
        [purchase],
      )
      return purchaseUseOf(rows[0])
    },

    recordFailedCodes: (failed, now) =>
      inTransaction(async (client) => {
        // In the same order in every instance, to avoid deadlocks.
        const sorted = failed.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
        await runStepsOn(client, addFailedCodes(sorted, now))
      }),

    failedCodes: (query) => runStepsOn(pool, readFailedCodes(query)),

    forgetPurchase: (forgotten) => inTransaction((client) => runStepsOn(client, forgetPurchase(forgotten))),

    forgetItem: (itemId, at) =>
      inTransaction(async (client) => {
        await runStepsOn(client, noteRemoval(itemId, at))
        await client.query('DELETE FROM "PurchaseUse" WHERE "itemId" = $1', [itemId])
      }),
  }
}

export async function lastUsesIn(pool: Pool, keyIds?: readonly string[]): Promise<LastUses> {
  const read = 'SELECT "keyId", "lastUsedAt", "operation", "client" FROM "KeyUse"'
  const { rows } = keyIds
    ? await pool.query<KeyUseRow>(`${read} WHERE "keyId" = ANY($1::text[])`, [keyIds])
    : await pool.query<KeyUseRow>(read)
  return lastUsesOf(rows)
}
