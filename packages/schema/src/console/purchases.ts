import * as v from 'valibot'
import { type PurchaseState, purchaseStates } from '../constants.ts'
import { ItemIdSchema, TextSchema } from '../primitives.ts'
import type { PurchaseBase, PurchaseExtended } from '../records/purchase.ts'
import { exportFormats } from './constants.ts'
import { type CappedCount, CursorSchema, DateTimeSchema, PurchaseCodeQuerySchema } from './members.ts'

/** A purchase, with what the API never sends. */
export interface ConsolePurchase {
  purchase_code: string
  state: PurchaseState
  item: { id: number; name: string; thumbnail: string }
  license_type: string
  /** What was paid. */
  price: number
  currency: string
  date: string
  /** As it was sold; the API leaves it out where the item offers no support. */
  supported_until: string | null
  downloaded: boolean
}

/** `POST workspaces/:slug/purchases/search`: newest first. */
export interface ConsolePurchases {
  purchases: ConsolePurchase[]
  /** On all pages. Counted for the first page alone; `null` on those after it. */
  total: CappedCount | null
  /** A page may be short and yet not the last: what is rare is looked for piece by piece. */
  next_cursor: string | null
}

/** `POST workspaces/:slug/purchases/detail`. */
export interface ConsolePurchaseDetail {
  purchase: ConsolePurchase
  /** What the API answers while the purchase is active. */
  base: PurchaseBase
  extended: PurchaseExtended
}

const filters = {
  item_id: v.exactOptional(ItemIdSchema),
  license_type: v.exactOptional(v.pipe(TextSchema, v.maxLength(255, 'too_long'))),
  state: v.exactOptional(v.picklist(purchaseStates, 'purchase_state')),
  /** Bought at this moment or later. */
  from: v.exactOptional(DateTimeSchema),
  /** Bought before this moment. */
  to: v.exactOptional(DateTimeSchema),
}

/** `POST workspaces/:slug/purchases/search`. */
export const SearchPurchasesSchema = v.strictObject({
  /** The whole code, pasted anyhow: found as the API finds it. */
  purchase_code: v.exactOptional(PurchaseCodeQuerySchema),
  ...filters,
  cursor: v.exactOptional(CursorSchema),
  /** 50 without. */
  limit: v.exactOptional(
    v.pipe(v.number('limit'), v.integer('limit'), v.minValue(1, 'limit'), v.maxValue(100, 'limit')),
  ),
})

/** `POST workspaces/:slug/purchases/detail`. */
export const PurchaseDetailSchema = v.strictObject({ purchase_code: PurchaseCodeQuerySchema })

/** `POST workspaces/:slug/purchases/state`. */
export const SetPurchaseStateSchema = v.strictObject({
  purchase_code: PurchaseCodeQuerySchema,
  state: v.picklist(purchaseStates, 'purchase_state'),
})

/** `POST workspaces/:slug/purchases/export`, answered with a file as an attachment: all that fit, newest first. */
export const ExportPurchasesSchema = v.strictObject({
  format: v.picklist(exportFormats, 'format'),
  ...filters,
})
