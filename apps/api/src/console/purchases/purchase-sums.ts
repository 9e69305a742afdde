import { parseTimestamp } from '@saleproof/schema'
import type { PurchaseSums } from '@saleproof/schema/console'
import type { Read } from '../../db/database.ts'
import { addParts, billion, decimal } from '../../domain/amounts.ts'
import { hourMs } from '../../usage/counts.ts'
import { join, raw, type Sql, select, sql } from '../sql.ts'

const dayMs = 24 * hourMs

/** What is added up of purchases. */
export const amounts = raw(
  `"currency", 1 AS "sales", "price" / ${billion} AS "high", "price" % ${billion} AS "low"`,
)

/** Adds up amounts by currency, in minor units. */
async function addAmounts(read: Read, rows: Sql) {
  const query = sql`SELECT "currency", CAST(sum("high") AS text) AS "high", CAST(sum("low") AS text) AS "low",
    CAST(sum("sales") AS text) AS "sales" FROM (${rows}) a GROUP BY "currency" HAVING sum("sales") <> 0 ORDER BY 1`
  const sums = await select<{ currency: string; high: string; low: string; sales: string }>(read, query)
  return sums.map(({ currency, high, low, sales }) => [currency, addParts(high, low), Number(sales)] as const)
}

const present = (sums: Iterable<readonly [string, bigint, ...unknown[]]>): PurchaseSums =>
  Array.from(sums, ([currency, minor]) => ({ currency, amount: decimal(minor, currency) }))

/** Adds up amounts by currency, and counts their sales. */
export async function sumAmounts(read: Read, rows: Sql) {
  const added = await addAmounts(read, rows)
  return { sums: present(added), count: added.reduce((count, [, , sales]) => count + sales, 0) }
}

/** More take longer than a person waits. */
const maxSummed = 5_000_000

/**
 * Adds up the purchases of a workspace that meet conditions, while it is wanted; null where it has too many purchases. Between pieces the
 * other pages of the console are read.
 */
export async function sumPieces(
  read: Read,
  workspaceId: number,
  conditions: readonly Sql[],
  pieceSize: number,
  isWanted: () => boolean,
): Promise<PurchaseSums | null> {
  const sums = new Map<string, bigint>()
  let last = ''
  for (let summed = 0; summed < maxSummed && isWanted(); summed += pieceSize) {
    const rows = sql`FROM "Purchase" WHERE "workspaceId" = ${workspaceId} AND "code" > ${last} ORDER BY "code"`
    // A limit keeps the database from searching by an index of the conditions, for each piece from its beginning.
    const some = sql`SELECT ${amounts} FROM (SELECT * ${rows} LIMIT ${raw(pieceSize)}) piece WHERE ${join(conditions, ' AND ')}`
    for (const [currency, minor] of await addAmounts(read, some))
      sums.set(currency, (sums.get(currency) ?? 0n) + minor)
    const [end] = await select<{ code: string }>(
      read,
      sql`SELECT "code" ${rows} LIMIT 1 OFFSET ${raw(pieceSize - 1)}`,
    )
    if (!end) return present([...sums].sort())
    last = end.code
  }
  return null
}

interface Sold {
  item_id?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * The amounts of all purchases of a period, however many: the totals of its hours, or for an item of its days in UTC. Undefined where it
 * begins or ends within one.
 */
export function soldAmounts(workspaceId: number, { item_id: itemId, from, to }: Sold): Sql | undefined {
  const [unit, unitMs] = itemId === undefined ? (['hour', hourMs] as const) : (['day', dayMs] as const)
  const unitOf = (text: string) => (parseTimestamp(text)?.getTime() ?? 0) / unitMs
  const first = from === undefined ? undefined : unitOf(from)
  const end = to === undefined ? undefined : unitOf(to)
  if (![first ?? 0, end ?? 0].every(Number.isInteger)) return undefined
  const totals = [
    sql`"workspaceId" = ${workspaceId}`,
    raw(`"unit" = '${unit}'`),
    sql`"itemId" = ${itemId ?? 0}`,
  ]
  if (first !== undefined) totals.push(sql`"start" >= ${first}`)
  if (end !== undefined) totals.push(sql`"start" < ${end}`)
  return sql`SELECT "currency", "sales", "salesHigh" AS "high", "salesLow" AS "low" FROM "SalesTotal"
    WHERE ${join(totals, ' AND ')}`
}
