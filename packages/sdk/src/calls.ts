import type { Item, Purchase } from '@saleproof/schema'
import type { OperationName, routes, Shape } from '@saleproof/schema/constants'
import type { Body } from './body.ts'
import { type ClientErrorCode, SaleproofError } from './errors.ts'
import { check, itemIdRule } from './options.ts'
import { isSameCode, readPurchaseCode } from './purchase-code.ts'

/** A pattern by example: a value fits when it is of the same type, field by field. Other fields may be there. */
type Pattern = '' | 0 | true | readonly [Pattern] | { readonly [field: string]: Pattern }

function fits(pattern: Pattern, value: unknown): boolean {
  if (typeof pattern !== 'object') return typeof value === typeof pattern
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(pattern)) return Array.isArray(value) && value.every((entry) => fits(pattern[0], entry))
  return Object.entries(pattern).every(([field, inner]) => fits(inner, Reflect.get(value, field)))
}

// What decides, what is computed with and what is reached through; `@saleproof/sdk/schemas` checks everything.
const account = {
  username: '',
  email: '',
  balance: 0,
  currency: '',
  name: {},
  profile: { media: {} },
} as const
const item = { id: 0, name: '', tags: [''], price: { regular: 0, extended: 0 }, currency: '' } as const
const itemBase = { ...item, media: { preview_image: '', screenshots: [''] } } as const
const itemExtended = { ...item, version: '', media: {} } as const
const purchase = { purchase_code: '', license_type: '', currency: '', downloaded: true, date: '' } as const

/** How the client makes a call. */
export interface Call {
  readonly path: string
  readonly base: Pattern
  readonly extended: Pattern
  /** What a success body holds. */
  readonly find: (body: Body) => unknown
  /** The default of `maxResponseBytes`. */
  readonly maxBytes?: number
  /** The error code of a value that is the answer to another request: a cache on the way may have returned it. */
  readonly mismatch?: (value: never, parameters: Record<string, string>) => ClientErrorCode | false
  /** The parameters, from the argument that the call takes before its options. */
  readonly parameters?: (argument: unknown) => Record<string, string>
}

/** A call whose path the compiler compares with that of the contract: to import it would bundle more than the path. */
type CallOf<Name extends OperationName> = Call & { readonly path: (typeof routes)[Name]['path'] }

/** Apart from the others, so that a program that only checks purchases bundles no other call. */
export const validatePurchase: CallOf<'validatePurchase'> = {
  path: '/api/purchases/validation',
  base: { ...purchase, price: 0, item: { id: 0, name: '' } },
  // Of the item only its identity and shape: a field that it lacks says nothing about the sale.
  extended: { ...purchase, item: { id: 0, name: '', version: '' } },
  // Older deployments send the purchase as `item`.
  find: (body) => Object(body.data).purchase ?? body.item,
  mismatch: (value: Pick<Purchase, 'purchase_code'>, { purchase_code = '' }) =>
    !isSameCode(purchase_code, value.purchase_code) && 'other_purchase',
  parameters(code) {
    const text = readPurchaseCode(code)
    if (text) return { purchase_code: text }
    throw new SaleproofError('rejected', { operation: 'validatePurchase', code: 'malformed_code' })
  },
}

/** The calls of a client. */
export const calls: { readonly [Name in OperationName]: CallOf<Name> } = {
  getAccount: { path: '/api/account/details', base: account, extended: account, find: (body) => body.data },
  listItems: {
    path: '/api/items/all',
    base: [itemBase],
    extended: [itemExtended],
    find: (body) => body.items,
    // About 25,000 items: the API returns all in one response.
    maxBytes: 33_554_432,
  },
  getItem: {
    path: '/api/items/item',
    base: itemBase,
    extended: itemExtended,
    find: (body) => body.item,
    mismatch: (value: Pick<Item, 'id'>, { item_id }) => String(value.id) !== item_id && 'other_item',
    parameters(id) {
      check('id', id, itemIdRule)
      return { item_id: String(id) }
    },
  },
  validatePurchase,
}

/** What a success body holds, or `undefined` where it does not have the requested shape (neither shape, when none was requested). */
export function decode({ base, extended, find }: Call, body: Body, shape: Shape | undefined): unknown {
  const value = find(body)
  return (shape !== 'extended' && fits(base, value)) || (shape !== 'base' && fits(extended, value))
    ? value
    : undefined
}
