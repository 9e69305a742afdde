/** What the columns of a sales file can hold. */
export const saleFields = [
  'purchase_code',
  'order',
  /** The item as the file calls it, and its id there. */
  'item',
  'product_id',
  'license_type',
  'quantity',
  'price',
  'currency',
  'date',
  /** The time of the day, where the date has none. */
  'time',
  'supported_until',
  'state',
  'refunded',
  'refunded_amount',
  'disputed',
  'dispute_won',
  /** Whether the code is not disabled. */
  'enabled',
  /** Whether the row is no sale, such as one that was made as a test. */
  'no_sale',
  /** Whether the row is another payment for an earlier sale, such as that of a subscription. */
  'repeated',
  'customer_name',
  'customer_email',
  'note',
] as const

/** What a column of a sales file can hold. */
export type SaleField = (typeof saleFields)[number]
