import * as v from 'valibot'
import { type ItemExtended, ItemExtendedSchema } from './item.ts'
import {
  CurrencySchema,
  ItemIdSchema,
  LinkSchema,
  PriceSchema,
  TextSchema,
  TimestampSchema,
} from './primitives.ts'
import type { Shape } from './shape.ts'

/** The states of a purchase. They are never sent; only `active` validates. */
export const purchaseStates = ['active', 'refunded', 'revoked'] as const

/** The state of a purchase: `active`, `refunded` or `revoked`. */
export type PurchaseState = (typeof purchaseStates)[number]

/** The item inside a purchase in the base shape. */
export interface ItemSummary {
  id: number
  name: string
  /** The item's page, an absolute http(s) URL. */
  url: string
  media: { preview_image: string }
}

/** What a purchase has in both shapes. */
export interface PurchaseCommon {
  /** As it is stored: a code that was pasted with other dashes or invisible characters comes back clean. */
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
  /** What was paid, in whole units of `currency`. */
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

/** A purchase in the base shape. Added members are taken and left out of the result. */
export const PurchaseBaseSchema = v.object({
  purchase_code: TextSchema,
  license_type: TextSchema,
  price: PriceSchema,
  currency: CurrencySchema,
  item: v.object({
    id: ItemIdSchema,
    name: TextSchema,
    url: LinkSchema,
    media: v.object({ preview_image: LinkSchema }),
  }),
  downloaded: v.boolean('boolean'),
  date: TimestampSchema,
})

/** A purchase in the extended shape. Added members are taken and left out of the result. */
export const PurchaseExtendedSchema = v.object({
  purchase_code: TextSchema,
  license_type: TextSchema,
  currency: CurrencySchema,
  item: ItemExtendedSchema,
  supported_until: v.exactOptional(TimestampSchema),
  downloaded: v.boolean('boolean'),
  date: TimestampSchema,
})

/**
 * The schema of a purchase, by shape.
 *
 * @example
 * v.parse(PurchaseSchemas.extended, answer.data.purchase).supported_until
 */
export const PurchaseSchemas = { base: PurchaseBaseSchema, extended: PurchaseExtendedSchema } as const
