import type { OverviewPeriod } from './constants.ts'

/** An exact amount in whole units, such as `'1250.50'`: a sum may have more digits than a JSON number holds. */
export type DecimalAmount = `${number}`

/** Sales and refunds in one currency. */
export interface SalesFigures {
  sales: number
  sales_amount: DecimalAmount
  refunds: number
  refunds_amount: DecimalAmount
  /** Sales less refunds; it may be negative. */
  net_amount: DecimalAmount
}

/** What an item sold; `name` is `null` when the item was removed. */
export interface ItemSales extends SalesFigures {
  item_id: number
  name: string | null
}

/** The sales in a currency. Amounts of several currencies are never added up. */
export interface CurrencySales {
  /** ISO 4217. */
  currency: string
  total: SalesFigures
  /** One for each of the starts. */
  buckets: SalesFigures[]
  /** Highest amount of sales first, 20 at most. */
  items: ItemSales[]
}

/**
 * The sales of a workspace in a period. A sale counts when it was made, whatever became of it later; a refund when it was made, or with its sale where
 * that is not known. A revoked purchase is no refund.
 */
export interface ConsoleSales {
  period: OverviewPeriod
  timezone: string
  /** `hour` for `24h`, `month` for `year` and `all`, else days. */
  bucket: 'hour' | 'day' | 'month'
  /** The starts of the buckets, oldest first; each ends where the next one starts, the last one at `to`. */
  starts: string[]
  to: string
  /** Most sales first. */
  currencies: CurrencySales[]
}
