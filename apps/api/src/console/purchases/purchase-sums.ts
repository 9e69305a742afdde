import { parseTimestamp } from '@saleproof/schema'
import type { PurchaseSums } from '@saleproof/schema/console'
import { addParts, billion, decimal } from '../../domain/amounts.ts'
import { hourMs } from '../../usage/counts.ts'
import { join, raw, type Sql, sql } from '../sql.ts'

const dayMs = 24 * hourMs

/** What is added up of purchases. */
export const amounts = raw(
  `"currency", 1 AS "sales", "price" / ${billion} AS "high", "price" % ${billion} AS "low"`,
)

/** What amounts of a currency add up to. */
export interface Added {
  currency: string
  high: string
  low: string
  sales: string
}

export const addedUp = (rows: Sql) =>
  sql`SELECT "currency", CAST(sum("high") AS text) AS "high", CAST(sum("low") AS text) AS "low",
    CAST(sum("sales") AS text) AS "sales" FROM (${rows}) a GROUP BY "currency" HAVING sum("sales") <> 0`

/** The number of sales, and what they add up to by currency. */
export function totalsOf(added: readonly Added[]): { count: number; sums: PurchaseSums } {
  const sums = new Map<string, bigint>()
  let count = 0
  for (const { currency, high, low, sales } of added) {
    sums.set(currency, (sums.get(currency) ?? 0n) + addParts(high, low))
    count += Number(sales)
  }
  const present = ([currency, minor]: [string, bigint]) => ({ currency, amount: decimal(minor, currency) })
  return { count, sums: [...sums].sort().map(present) }
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
