import type { ClientBase, Pool } from 'pg'
import { type CountRow, sum } from './counts.ts'
import { type KeyUseRow, lastUsesOf } from './key-use-table.ts'
import { maxItems, type Statistics, type StatisticsQuery, type StatisticsRow } from './statistics-tables.ts'
import type { LastUses, UsageStore } from './usage-store.ts'

/** One instance at a time rolls up: two that update the same rows could deadlock. */
const lockRollUp = `SELECT 1 FROM "CountsWritten" WHERE "id" = 1 FOR UPDATE`

const addCounts = `INSERT INTO "Counts" ("workspaceId", "hour", "kind", "name", "code", "count")
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  ON CONFLICT ("workspaceId", "hour", "kind", "name", "code") DO UPDATE SET "count" = "Counts"."count" + EXCLUDED."count"`

const upsertKeyUse = `INSERT INTO "KeyUse" ("keyId", "lastUsedAt", "operation", "client")
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[])
  ON CONFLICT ("keyId") DO UPDATE
  SET "lastUsedAt" = EXCLUDED."lastUsedAt", "operation" = EXCLUDED."operation", "client" = EXCLUDED."client"
  WHERE EXCLUDED."lastUsedAt" >= "KeyUse"."lastUsedAt"`

const hours = `FROM "Counts" WHERE "workspaceId" = $1 AND "hour" >= $2 AND "hour" < $3`

async function rollUp(client: ClientBase, oldestHour: number) {
  await client.query(lockRollUp)
  const { rows } = await client.query<{ rows: CountRow[] }>('DELETE FROM "CountBatch" RETURNING "rows"')
  const sums = sum(rows.map((batch) => batch.rows))
  if (sums.length)
    await client.query(
      addCounts,
      [0, 1, 2, 3, 4, 5].map((column) => sums.map((sum) => sum[column])),
    )
  await client.query('DELETE FROM "Counts" WHERE "hour" < $1', [oldestHour])
}

/** Usage in tables of its own. Any number of instances write to them at the same time. */
export function createPostgresUsageStore(pool: Pool): UsageStore {
  async function inTransaction(act: (client: ClientBase) => Promise<void>) {
    const client = await pool.connect()
    let failed = true
    try {
      // A power loss costs a second of counts.
      await client.query('BEGIN; SET LOCAL synchronous_commit = off')
      await act(client)
      await client.query('COMMIT')
      failed = false
    } finally {
      // Closes a connection after an error, which ends its transaction.
      client.release(failed)
    }
  }

  return {
    recordKeyUse: (uses) =>
      inTransaction(async (client) => {
        // In the same order in every instance, to avoid deadlocks.
        const sorted = [...uses].sort(([one], [other]) => (one < other ? -1 : 1))
        await client.query(upsertKeyUse, [
          sorted.map(([keyId]) => keyId),
          sorted.map(([, { at }]) => at),
          sorted.map(([, { operation }]) => operation),
          sorted.map(([, { client }]) => client),
        ])
      }),

    appendCounts: (rows, at) =>
      inTransaction(async (client) => {
        await client.query('INSERT INTO "CountBatch" ("rows") VALUES ($1)', [JSON.stringify(rows)])
        await client.query(
          `INSERT INTO "CountsWritten" ("id", "at") VALUES (1, $1)
           ON CONFLICT ("id") DO UPDATE SET "at" = greatest("CountsWritten"."at", EXCLUDED."at")`,
          [at],
        )
      }),

    rollUp: (oldestHour) => inTransaction((client) => rollUp(client, oldestHour)),

    async statistics({ workspaceId, from, to }: StatisticsQuery): Promise<Statistics> {
      const range = [workspaceId, from, to]
      const top = await pool.query<{ name: string }>(
        `SELECT "name" ${hours} AND "kind" = 'item'
         GROUP BY "name" ORDER BY sum("count") DESC, "name" LIMIT ${maxItems}`,
        range,
      )
      const items = top.rows.map(({ name }) => name)
      const { rows } = await pool.query<StatisticsRow>(
        `SELECT "hour", "kind", "name", "code", "count"::float8 ${hours}
         AND ("kind" IN ('key', 'duration') OR ("kind" = 'item' AND "name" = ANY($4)))`,
        [...range, items],
      )
      const written = await pool.query<{ at: string }>('SELECT "at" FROM "CountsWritten"')
      return { rows, items, flushedAt: written.rows[0] && Number(written.rows[0].at) }
    },
  }
}

export async function lastUsesIn(pool: Pool, keyIds?: readonly string[]): Promise<LastUses> {
  const read = 'SELECT "keyId", "lastUsedAt", "operation", "client" FROM "KeyUse"'
  const { rows } = keyIds
    ? await pool.query<KeyUseRow>(`${read} WHERE "keyId" = ANY($1::text[])`, [keyIds])
    : await pool.query<KeyUseRow>(read)
  return lastUsesOf(rows)
}
