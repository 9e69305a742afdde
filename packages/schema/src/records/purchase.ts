import type { PurchaseState, Shape } from '../constants.ts'
import { type Fields, inBothShapes, nowhere } from './fields.ts'
import type { ItemExtended, ItemSummary } from './item.ts'

/** What a purchase has in both shapes. */
export interface PurchaseCommon {
  /** In its one form: dashes as `-`, without invisible characters. */
  purchase_code: string
  /** `Regular`, `Extended` or another name. */
  license_type: string
  /** ISO 4217. */
  currency: string
  downloaded: boolean
  /** When it was bought: `YYYY-MM-DDTHH:mm:ssZ`, UTC. */
  date: string
}

/** A purchase in the base shape. */
export interface PurchaseBase extends PurchaseCommon {
  /** The price that was paid, in whole units of `currency`. */
  price: number
  item: ItemSummary
}

/** A purchase in the extended shape. */
export interface PurchaseExtended extends PurchaseCommon {
  item: ItemExtended
  /** `YYYY-MM-DDTHH:mm:ssZ`, UTC; only where there is support, and also after it has passed. */
  supported_until?: string
}

/** A purchase in the shape `S`. Without an argument it is either; `'price' in purchase` tells which. */
export type Purchase<S extends Shape = Shape> = S extends 'extended' ? PurchaseExtended : PurchaseBase

/** A purchase in the import format. */
export interface PurchaseRecord {
  readonly type: 'purchase'
  /** The id of an item. */
  readonly item: number
  readonly purchase_code: string
  readonly license_type: string
  readonly price: number | string
  readonly currency: string
  readonly supported_until?: string | null
  readonly downloaded: boolean
  readonly date: string
  readonly state?: PurchaseState
  /** When it was refunded. Only a refunded purchase has it. */
  readonly refunded_at?: string | null
  readonly customer_name?: string | null
  /** In lower case. */
  readonly customer_email?: string | null
  /** What the sale is called in another system. */
  readonly order?: string | null
  readonly note?: string | null
}

/** The fields of a purchase. */
export const purchaseFields = {
  purchase_code: { type: 'purchase_code', shown: inBothShapes, fixed: true },
  license_type: { type: 'nonempty_text', shown: inBothShapes },
  price: { type: 'price', shown: { base: 'always' } },
  currency: { type: 'currency', shown: inBothShapes },
  /** In a record the id; in a response the summary (base) or the whole item (extended). */
  item: { type: 'item', shown: inBothShapes, fixed: true },
  supported_until: { type: 'timestamp', shown: { extended: 'with_support' }, optional: true },
  downloaded: { type: 'boolean', shown: inBothShapes },
  date: { type: 'timestamp', shown: inBothShapes },
  state: { type: 'purchase_state', shown: nowhere, optional: true, fixed: true },
  refunded_at: { type: 'timestamp', shown: nowhere, optional: true, fixed: true },
  customer_name: { type: 'customer_text', shown: nowhere, optional: true },
  customer_email: { type: 'customer_email', shown: nowhere, optional: true },
  order: { type: 'customer_text', shown: nowhere, optional: true },
  note: { type: 'note', shown: nowhere, optional: true },
} as const satisfies Fields

/** What a purchase says of its customer: in no response of the API, and removed when the customer is erased. */
export const customerFields = [
  'customer_name',
  'customer_email',
  'order',
  'note',
] as const satisfies (keyof typeof purchaseFields)[]

/** What the OpenAPI document says of the fields, by path. */
export const purchaseDescriptions = {
  purchase_code: 'In its one form: NFKC, dashes as `-`, without invisible characters.',
  license_type: '`Regular`, `Extended` or another name.',
  price: 'What was paid, in `currency`.',
  downloaded: 'Whether the purchase has been downloaded.',
}

/** The purchase of the OpenAPI examples, of the first example item. Its code is not in use. */
export const examplePurchase: PurchaseRecord = {
  type: 'purchase',
  item: 101,
  purchase_code: '7F3K-9QXD-2M4T-8WVB',
  license_type: 'Regular',
  price: 19.99,
  currency: 'USD',
  supported_until: '2025-05-01T10:15:00Z',
  downloaded: false,
  date: '2024-05-01T10:15:00Z',
}
