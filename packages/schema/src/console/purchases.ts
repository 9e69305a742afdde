import * as v from 'valibot'
import { type PurchaseState, purchaseStates } from '../constants.ts'
import { ItemIdSchema, TextSchema } from '../primitives.ts'
import type { PurchaseBase, PurchaseExtended, PurchaseRecord } from '../records/purchase.ts'
import { type ActorKind, exportFormats } from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import { type ConsoleEdit, editFields } from './edits.ts'
import { type CappedCount, CursorSchema, DateTimeSchema, PurchaseCodeQuerySchema } from './request-fields.ts'
import type { DecimalAmount } from './sales.ts'

/** A purchase as it is stored, with fields that the API never sends. */
export interface ConsolePurchase extends Required<Omit<PurchaseRecord, 'type' | 'item' | 'price'>> {
  item: { id: number; name: string }
  /** The price that was paid. */
  price: number
}

/** What was paid, by currency. */
export type PurchaseSums = { currency: string; amount: DecimalAmount }[]

/** A page of purchases, newest first. */
export interface ConsolePurchases {
  purchases: ConsolePurchase[]
  /** On all pages. Only the first page has it; `null` on later pages. */
  total: CappedCount | null
  /** What was paid for all of them, by currency. `null` on later pages, and where not all are counted: `sumPurchases` has it. */
  sums: PurchaseSums | null
  /** A short page may not be the last one: rare matches are searched for piece by piece. */
  next_cursor: string | null
}

/** Who did something: an owner in the console, a command of `saleproof`, or a program with the admin token. */
export interface ConsoleActor {
  kind: ActorKind
  /** The current username of an account; `null` when the account was removed. */
  username: string | null
}

/** Something that was done, when and by whom. */
export interface PurchaseEvent {
  at: string
  by: ConsoleActor
}

/** How often a purchase was validated. */
export interface PurchaseValidations {
  count: number
  /** `null` before the first one. */
  first_at: string | null
  last_at: string | null
}

/** What happened to a purchase. */
export interface PurchaseHistory {
  /** When it was stored, which may be long after the sale; `null` for a purchase that is older than this record. */
  created: (PurchaseEvent & { manual: boolean }) | null
  /** Those of other processes may be up to a minute behind. `null` while the service cannot read them. */
  validations: PurchaseValidations | null
  /** The changes, newest first, 50 at most: the names of the fields that were edited, or the state that it got. */
  changes: (PurchaseEvent & { state: PurchaseState; fields: string[] })[]
  /** Whether retention of the audit log has removed a part of it. */
  shortened: boolean
}

/** A purchase with its history. */
export interface ConsolePurchaseDetail {
  purchase: ConsolePurchase
  history: PurchaseHistory
  /** The purchase as the API shows it while it is active, in both shapes. */
  base: PurchaseBase
  extended: PurchaseExtended
}

const filters = {
  item_id: v.exactOptional(ItemIdSchema),
  license_type: v.exactOptional(v.pipe(TextSchema, v.maxLength(255, 'too_long'))),
  state: v.exactOptional(v.picklist(purchaseStates, 'purchase_state')),
  /** Bought at this time or later. */
  from: v.exactOptional(DateTimeSchema),
  /** Bought before this time. */
  to: v.exactOptional(DateTimeSchema),
}

const code = { purchase_code: PurchaseCodeQuerySchema }

/**
 * The whole code, as pasted: matched as the API matches it. Where no code is, the start or the end of codes, from `minCodePart`
 * characters on, as typed or all in upper or lower case; or how words of the customer's name, e-mail address, order and note begin.
 */
const search = v.exactOptional(PurchaseCodeQuerySchema)

export const purchaseEndpoints = {
  searchPurchases: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/search',
    queued: true,
    request: {
      search,
      ...filters,
      cursor: v.exactOptional(CursorSchema),
      /** 50 by default. */
      limit: v.exactOptional(
        v.pipe(v.number('limit'), v.integer('limit'), v.minValue(1, 'limit'), v.maxValue(100, 'limit')),
      ),
    },
    response: body<ConsolePurchases>(),
  }),
  /** Adds up what a list does not: all of many. `null` where they are too many for that. */
  sumPurchases: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/sums',
    request: { search, ...filters },
    response: body<{ sums: PurchaseSums | null }>(),
  }),
  getPurchase: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/detail',
    queued: true,
    request: code,
    response: body<ConsolePurchaseDetail>(),
  }),
  setPurchaseState: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/state',
    request: { ...code, state: v.picklist(purchaseStates, 'purchase_state') },
    response: body<ConsolePurchase>(),
    activity: ['purchase.changed'],
  }),
  editPurchase: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/edit',
    request: { ...code, ...editFields },
    response: body<ConsoleEdit>(),
    activity: ['purchase.edited'],
  }),
  /** Removes name, address, order and note from all purchases of a customer. */
  eraseCustomer: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/customers/erase',
    request: { email: v.pipe(TextSchema, v.trim(), v.nonEmpty('not_empty'), v.maxLength(255, 'too_long')) },
    response: body<{ purchases: number }>(),
    activity: ['customer.erased'],
  }),
  removePurchase: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/remove',
    request: code,
    activity: ['purchase.removed'],
  }),
  /** Responds with a file as an attachment: every match, newest first. */
  exportPurchases: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/purchases/export',
    request: { format: v.picklist(exportFormats, 'format'), ...filters },
    response: body<Blob>(),
    activity: ['export'],
  }),
}
