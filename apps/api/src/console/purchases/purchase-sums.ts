import { parseTimestamp } from '@saleproof/schema'
import type { ConsolePurchases } from '@saleproof/schema/console'
import type { Read } from '../../db/database.ts'
import { addParts, billion, decimal } from '../../domain/amounts.ts'
import { hourMs } from '../../usage/counts.ts'
import { join, raw, type Sql, select, sql } from '../sql.ts'

const dayMs = 24 * hourMs

/** What is added up of purchases, or with a minus taken off. */
export const amounts = (sign: '' | '-' = '') =>
  raw(
    `"currency", ${sign}1 AS "sales", ${sign}("price" / ${billion}) AS "high", ${sign}("price" % ${billion}) AS "low"`,
  )

/** Adds up amounts by currency. */
export async function sumAmounts(read: Read, rows: Sql): Promise<NonNullable<ConsolePurchases['sums']>> {
  const query = sql`SELECT "currency", CAST(sum("high") AS text) AS "high", CAST(sum("low") AS text) AS "low"
    FROM (${rows}) a GROUP BY "currency" HAVING sum("sales") <> 0 ORDER BY 1`
  const sums = await select<{ currency: string; high: string; low: string }>(read, query)
  return sums.map(({ currency, high, low }) => ({ currency, amount: decimal(addParts(high, low), currency) }))
}

interface Sold {
  item_id?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * The amounts of all purchases of a period, however many: the totals of its whole hours, or for an item of its whole days, and one by one
 * the purchases before and after them.
 */
export function soldAmounts(workspaceId: number, { item_id: itemId, from, to }: Sold): Sql {
  const ofWorkspace = sql`"workspaceId" = ${workspaceId}`
  const [unit, unitMs] = itemId === undefined ? (['hour', hourMs] as const) : (['day', dayMs] as const)
  const timeOf = (text: string) => parseTimestamp(text)?.getTime() ?? 0
  const totals = [ofWorkspace, raw(`"unit" = '${unit}'`), sql`"itemId" = ${itemId ?? 0}`]
  const ofItem = itemId === undefined ? [] : [sql`"itemId" = ${itemId}`]
  const single = (begin: number, end: number) =>
    sql`SELECT ${amounts()} FROM "Purchase"
      WHERE ${join([ofWorkspace, sql`"date" >= ${new Date(begin)}`, sql`"date" < ${new Date(end)}`, ...ofItem], ' AND ')}`
  const parts: Sql[] = []
  const first = from === undefined ? undefined : Math.ceil(timeOf(from) / unitMs)
  const end = to === undefined ? Number.POSITIVE_INFINITY : timeOf(to)
  if (from !== undefined && first !== undefined) {
    totals.push(sql`"start" >= ${first}`)
    parts.push(single(timeOf(from), Math.min(first * unitMs, end)))
  }
  if (to !== undefined) {
    const last = Math.max(Math.floor(end / unitMs), first ?? Number.NEGATIVE_INFINITY)
    totals.push(sql`"start" < ${last}`)
    parts.push(single(Math.min(last * unitMs, end), end))
  }
  const whole = sql`SELECT "currency", "sales", "salesHigh" AS "high", "salesLow" AS "low" FROM "SalesTotal"
    WHERE ${join(totals, ' AND ')}`
  return join([whole, ...parts], ' UNION ALL ')
}
