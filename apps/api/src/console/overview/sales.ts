import { formatTimestamp } from '@saleproof/schema'
import type { ConsoleSales, ItemSales, SalesFigures } from '@saleproof/schema/console'
import type { Read } from '../../db/database.ts'
import { addParts, billion, decimal } from '../../domain/amounts.ts'
import { hourMs } from '../../usage/counts.ts'
import type { OverviewRequest } from './overview.ts'
import { bucketIndex, listBuckets, salesBuckets } from './periods.ts'

interface SalesOptions {
  read: Read
  itemNames: (workspaceId: number, ids: number[]) => Promise<ReadonlyMap<number, string>>
  now: () => number
}

/** Amounts in minor units. */
interface Sums {
  sales: number
  salesAmount: bigint
  refunds: number
  refundsAmount: bigint
}

/** Sums as the drivers give them: sums as numbers or texts. */
type SumColumns = Record<
  'sales' | 'salesHigh' | 'salesLow' | 'refunds' | 'refundsHigh' | 'refundsLow',
  number | string
>

type HourRow = SumColumns & { start: number; currency: string }
type ItemRow = SumColumns & { itemId: number; currency: string }

/** The first that a sale can have. */
const firstHour = Date.parse('0001-01-01T00:00:00Z') / hourMs
const maxItems = 20
const hoursOfDay = 24

const noSums = (): Sums => ({ sales: 0, salesAmount: 0n, refunds: 0, refundsAmount: 0n })

const toSums = (row: SumColumns): Sums => ({
  sales: Number(row.sales),
  salesAmount: addParts(row.salesHigh, row.salesLow),
  refunds: Number(row.refunds),
  refundsAmount: addParts(row.refundsHigh, row.refundsLow),
})

function add(to: Sums, more: Sums) {
  to.sales += more.sales
  to.salesAmount += more.salesAmount
  to.refunds += more.refunds
  to.refundsAmount += more.refundsAmount
}

const figures = (sums: Sums, currency: string): SalesFigures => ({
  sales: sums.sales,
  sales_amount: decimal(sums.salesAmount, currency),
  refunds: sums.refunds,
  refunds_amount: decimal(sums.refundsAmount, currency),
  net_amount: decimal(sums.salesAmount - sums.refundsAmount, currency),
})

// As text: a driver's number holds 53 bits.
const sumColumns = ['sales', 'salesHigh', 'salesLow', 'refunds', 'refundsHigh', 'refundsLow']
  .map((column) => `CAST(sum("${column}") AS text) AS "${column}"`)
  .join(', ')

const hoursQuery = `SELECT "start", "currency", "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow"
  FROM "SalesTotal" WHERE "workspaceId" = $1 AND "unit" = 'hour' AND "start" >= $2 AND "start" < $3
    AND ("sales" <> 0 OR "refunds" <> 0)`

type Range = readonly [from: string, to: string]

const within = (column: string, [from, to]: Range) => `"${column}" >= ${from} AND "${column}" < ${to}`

const days = ([from, to]: Range) =>
  `SELECT "itemId", "currency", "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow" FROM "SalesTotal"
   WHERE "workspaceId" = $1 AND "unit" = 'day' AND ${within('start', [from, to])}`

const amount = `"price" / ${billion}, "price" % ${billion}`
const ofItem = 'SELECT "itemId", "currency"'
const from = 'FROM "Purchase" WHERE "workspaceId" = $1'

/** The sales and refunds of less than a day, one by one. Each has an index of its own. */
const parts = (range: Range) => [
  `${ofItem}, 1, ${amount}, 0, 0, 0 ${from} AND ${within('date', range)}`,
  `${ofItem}, 0, 0, 0, 1, ${amount} ${from} AND ${within('refundedAt', range)}`,
  `${ofItem}, 0, 0, 0, 1, ${amount} ${from} AND "state" <> 'active' AND "state" = 'refunded' AND "refundedAt" IS NULL
   AND ${within('date', range)}`,
]

/** Items by currency: the whole days of UTC, and what is before and after them. */
const itemsQuery = `SELECT * FROM (
    SELECT "itemId", "currency", ${sumColumns}, row_number() OVER (PARTITION BY "currency"
      ORDER BY sum("salesHigh") * 1.0 * ${billion} + sum("salesLow") DESC, sum("sales") DESC, "itemId") AS "rank"
    FROM (${[days(['$2', '$3']), ...parts(['$4', '$5']), ...parts(['$6', '$7'])].join(' UNION ALL ')}) t
    GROUP BY "itemId", "currency" HAVING sum("sales") <> 0 OR sum("refunds") <> 0) ranked
  WHERE "rank" <= ${maxItems} ORDER BY "rank"`

function itemRanges(from: number, to: number) {
  const firstDay = Math.ceil(from / hoursOfDay)
  const lastDay = Math.max(firstDay, Math.floor(to / hoursOfDay))
  const before = [from, Math.min(firstDay * hoursOfDay, to)]
  const after = [Math.min(lastDay * hoursOfDay, to), to]
  return [firstDay, lastDay, ...[...before, ...after].map((hour) => new Date(hour * hourMs))]
}

/** What a workspace sold and refunded in a period, by currency. */
export function createSales({ read, itemNames, now }: SalesOptions) {
  return async function sales({ workspaceId, period, timezone }: OverviewRequest): Promise<ConsoleSales> {
    const known = listBuckets(period, timezone, now(), salesBuckets)
    const from = period === 'all' ? firstHour : Math.floor((known.starts[0] ?? known.end) / hourMs)
    const to = Math.ceil(known.end / hourMs)
    const [hours, itemRows] = await Promise.all([
      read<HourRow>(hoursQuery, workspaceId, from, to),
      read<ItemRow>(itemsQuery, workspaceId, ...itemRanges(from, to)),
    ])
    const first = hours.reduce((earliest, { start }) => Math.min(earliest, start), to)
    const { bucket, starts, end } =
      period === 'all' ? listBuckets(period, timezone, now(), salesBuckets, first * hourMs) : known
    const names = await itemNames(workspaceId, [...new Set(itemRows.map(({ itemId }) => Number(itemId)))])

    const byCurrency = new Map<string, { total: Sums; buckets: Sums[]; items: ItemSales[] }>()
    for (const row of hours) {
      const found = byCurrency.get(row.currency) ?? {
        total: noSums(),
        buckets: starts.map(noSums),
        items: [],
      }
      byCurrency.set(row.currency, found)
      const sums = toSums(row)
      add(found.total, sums)
      const within = found.buckets[bucketIndex(starts, row.start)]
      if (within) add(within, sums)
    }
    for (const row of itemRows) {
      const id = Number(row.itemId)
      const shown = { item_id: id, name: names.get(id) ?? null, ...figures(toSums(row), row.currency) }
      byCurrency.get(row.currency)?.items.push(shown)
    }
    return {
      period,
      timezone,
      bucket,
      starts: starts.map((start) => formatTimestamp(new Date(start))),
      to: formatTimestamp(new Date(end)),
      currencies: [...byCurrency]
        .sort(([, one], [, other]) => other.total.sales - one.total.sales)
        .map(([currency, { total, buckets, items }]) => ({
          currency,
          total: figures(total, currency),
          buckets: buckets.map((sums) => figures(sums, currency)),
          items,
        })),
    }
  }
}
