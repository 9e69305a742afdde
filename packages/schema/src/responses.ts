import * as v from 'valibot'
import type { Shape } from './constants.ts'
import type { Account } from './records/account.ts'
import type { Item } from './records/item.ts'
import type { Purchase } from './records/purchase.ts'
import { AccountSchema, ItemSchemas, PurchaseSchemas } from './records/schemas.ts'

const success = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object({ status: v.literal('success'), ...entries })

/** What each operation answers when it succeeds, by shape. */
export const successSchemas = {
  getAccount: {
    base: success({ data: AccountSchema }),
    extended: success({ data: AccountSchema }),
  },
  listItems: {
    base: success({ items: v.array(ItemSchemas.base) }),
    extended: success({ items: v.array(ItemSchemas.extended) }),
  },
  getItem: {
    base: success({ item: ItemSchemas.base }),
    extended: success({ item: ItemSchemas.extended }),
  },
  validatePurchase: {
    base: success({ data: v.object({ purchase: PurchaseSchemas.base }) }),
    extended: success({ data: v.object({ purchase: PurchaseSchemas.extended }) }),
  },
} as const

/** The success body of each operation in the shape `S`. */
export interface ResponseBodies<S extends Shape = Shape> {
  getAccount: { status: 'success'; data: Account }
  listItems: { status: 'success'; items: Item<S>[] }
  getItem: { status: 'success'; item: Item<S> }
  validatePurchase: { status: 'success'; data: { purchase: Purchase<S> } }
}

/** The body of every failure: two fields, no more. The reason travels in the header `X-Error-Code`. */
export interface FailureBody {
  status: 'error'
  /** For a person to read; its language follows `Accept-Language`. */
  msg: string
}

/** The body of a failure. Added fields are taken and left out of the result. */
export const FailureBodySchema = v.object({ status: v.literal('error'), msg: v.string() })
