import type { ClientBase, Pool } from 'pg'
import { type CountRow, sum } from './counts.ts'
import { type KeyUseRow, lastUsesOf } from './key-use-rows.ts'
import { mostItems, type Statistics, type StatisticsQuery } from './statistics-tables.ts'
import type { LastUses, UsageStore } from './usage-store.ts'

/** One instance at a time adds up what was appended: two that add to the same rows would wait for each other crosswise. */
const oneAtATime = `SELECT 1 FROM "CountsWritten" WHERE "id" = 1 FOR UPDATE`

const add = `INSERT INTO "Counts" ("workspaceId", "hour", "kind", "name", "code", "count")
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  ON CONFLICT ("workspaceId", "hour", "kind", "name", "code") DO UPDATE SET "count" = "Counts"."count" + EXCLUDED."count"`

const note = `INSERT INTO "KeyUse" ("keyId", "lastUsedAt", "operation", "client")
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[])
  ON CONFLICT ("keyId") DO UPDATE
  SET "lastUsedAt" = EXCLUDED."lastUsedAt", "operation" = EXCLUDED."operation", "client" = EXCLUDED."client"
  WHERE EXCLUDED."lastUsedAt" >= "KeyUse"."lastUsedAt"`

const hours = `FROM "Counts" WHERE "workspaceId" = $1 AND "hour" >= $2 AND "hour" < $3`

async function fold(client: ClientBase, oldestHour: number) {
  await client.query(oneAtATime)
  const { rows } = await client.query<{ rows: CountRow[] }>('DELETE FROM "CountBatch" RETURNING "rows"')
  const sums = sum(rows.map((batch) => batch.rows))
  if (sums.length)
    await client.query(
      add,
      [0, 1, 2, 3, 4, 5].map((place) => sums.map((sum) => sum[place])),
    )
  await client.query('DELETE FROM "Counts" WHERE "hour" < $1', [oldestHour])
}

/** What traffic leaves behind, in tables that nothing else reads: any number of instances write to them at once. */
export function createUsageTables(pool: Pool): UsageStore {
  async function inTransaction(act: (client: ClientBase) => Promise<void>) {
    const client = await pool.connect()
    let failure: Error | undefined
    try {
      // What is lost with the power is a second of counts.
      await client.query('BEGIN; SET LOCAL synchronous_commit = off')
      await act(client)
      await client.query('COMMIT')
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      // A connection on which something failed is not used again: its transaction ends with it.
      client.release(failure)
    }
  }

  return {
    noteKeyUse: (uses) =>
      inTransaction(async (client) => {
        // In one order for everybody who writes.
        const sorted = [...uses].sort(([one], [other]) => (one < other ? -1 : 1))
        await client.query(note, [
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

    rollUp: (oldestHour) => inTransaction((client) => fold(client, oldestHour)),

    async statistics({ workspaceId, from, to }: StatisticsQuery): Promise<Statistics> {
      const place = [workspaceId, from, to]
      const top = await pool.query<{ name: string }>(
        `SELECT "name" ${hours} AND "kind" = 'item'
         GROUP BY "name" ORDER BY sum("count") DESC, "name" LIMIT ${mostItems}`,
        place,
      )
      const items = top.rows.map(({ name }) => name)
      const { rows } = await pool.query<Statistics['rows'][number]>(
        `SELECT "hour", "kind", "name", "code", "count"::float8 ${hours}
         AND ("kind" IN ('key', 'duration') OR ("kind" = 'item' AND "name" = ANY($4)))`,
        [...place, items],
      )
      const written = await pool.query<{ at: string }>('SELECT "at" FROM "CountsWritten"')
      return { rows, items, flushedAt: written.rows[0] && Number(written.rows[0].at) }
    },
  }
}

/** When keys were used last, and by what. */
export async function lastUsesIn(pool: Pool, keyIds?: readonly string[]): Promise<LastUses> {
  const read = 'SELECT "keyId", "lastUsedAt", "operation", "client" FROM "KeyUse"'
  const { rows } = keyIds
    ? await pool.query<KeyUseRow>(`${read} WHERE "keyId" = ANY($1::text[])`, [keyIds])
    : await pool.query<KeyUseRow>(read)
  return lastUsesOf(rows)
}
