import type { SaleField } from '@saleproof/schema/sales-file'
import type { SaleState } from './values.ts'

/** How a shop exports its sales. Names of columns are compared without case, spaces and signs. */
export interface Profile {
  name: string
  title: string
  /** The columns that tell its files from those of other shops; all of them are there. */
  recognizedBy: readonly string[]
  /** The names of the column of each field, the best first. */
  columns: Readonly<Partial<Record<SaleField, readonly string[]>>>
  /** What the words of its states mean, where that is not what they mean elsewhere. */
  states?: Readonly<Record<string, SaleState>>
  /** Whether its times are in UTC, and not in the time zone of the seller: always, or where the file has this column. */
  utc?: true | string
  /**
   * Whether an order with several items has a row for each, at the price of one piece. Later rows leave out what the first one says of the
   * order.
   */
  lineItems?: boolean
  /** Whether an order is one row, so that another row of it is the same sale. */
  oneRow?: true
  /** What does not belong to the name of an item. */
  notInItem?: RegExp
}
