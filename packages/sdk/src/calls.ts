import type { Shape } from '@saleproof/schema'
import type { OperationName, routes } from '@saleproof/schema/constants'
import type { Body } from './body.ts'
import { type ClientErrorCode, SaleproofError } from './errors.ts'
import { check, itemIdRule } from './options.ts'
import { readPurchaseCode } from './purchase-code.ts'

/** A pattern by example: a value fits when it is of the same type, field by field. Other fields may be there. */
type Pattern = '' | 0 | { readonly [field: string]: Pattern }

// Neither a text nor a number has fields.
const fits = (pattern: Pattern, value: unknown): boolean =>
  typeof value === typeof pattern &&
  value !== null &&
  Object.entries(pattern).every(([field, inner]) => fits(inner, Object(value)[field]))

/** Whether a value fits the pattern of the requested shape; of either shape when none was requested. */
const fitsShape = (base: Pattern, extended: Pattern, value: unknown, shape: Shape | undefined): boolean =>
  (shape !== 'extended' && fits(base, value)) || (shape !== 'base' && fits(extended, value))

/** How the client makes a call. */
export interface Call {
  readonly name: OperationName
  readonly method?: 'POST'
  readonly path: string
  /**
   * What a success body holds, if it has the fields that decide, that are computed with and that tell the shape; a `validate` checks the
   * others. An error code where it is the answer to another request: a cache on the way may have returned it.
   */
  readonly read: (
    body: Body,
    shape: Shape | undefined,
    parameters: Readonly<Record<string, string>>,
  ) => unknown
  /** The parameters, from the argument that the call takes before its options. */
  readonly parameters?: (argument: unknown) => Record<string, string>
  /** The default of `maxResponseBytes`. */
  readonly maxBytes?: number
}

/** A call whose path the compiler compares with that of the contract: to import it would bundle more than the path. */
type CallOf<Name extends OperationName> = Call & {
  readonly name: Name
  readonly path: (typeof routes)[Name]['path']
}

/** Apart from the others, so that a program that only checks purchases bundles no other call. */
export const validatePurchase: CallOf<'validatePurchase'> = {
  name: 'validatePurchase',
  method: 'POST',
  path: '/api/purchases/validation',
  read({ data, item }, shape, { purchase_code = '' }) {
    // Older deployments send the purchase as `item`.
    const purchase = Object(data).purchase ?? item
    const { purchase_code: code, item: sold, price } = Object(purchase)
    const { id, version } = Object(sold)
    return (
      typeof code === 'string' &&
      Number.isFinite(id) &&
      ((shape !== 'extended' && Number.isFinite(price)) ||
        (shape !== 'base' && typeof version === 'string')) &&
      (readPurchaseCode(code) === purchase_code ? purchase : ('other_purchase' satisfies ClientErrorCode))
    )
  },
  parameters(code) {
    const text = readPurchaseCode(code)
    if (text) return { purchase_code: text }
    throw new SaleproofError('rejected', { operation: 'validatePurchase', code: 'malformed_code' })
  },
}

const fitsItem = (value: unknown, shape: Shape | undefined): boolean => {
  const item = { id: 0, name: '', tags: {}, price: { regular: 0, extended: 0 }, currency: '' } as const
  const media = { preview_image: '', screenshots: {} } as const
  return fitsShape({ ...item, media }, { ...item, version: '', media: {} }, value, shape)
}

/** The calls of a client. */
export const calls: { readonly [Name in OperationName]: CallOf<Name> } = {
  getAccount: {
    name: 'getAccount',
    path: '/api/account/details',
    read: ({ data }) =>
      fits({ username: '', email: '', balance: 0, currency: '', name: {}, profile: { media: {} } }, data) &&
      data,
  },
  listItems: {
    name: 'listItems',
    path: '/api/items/all',
    read: ({ items }, shape) => Array.isArray(items) && items.every((item) => fitsItem(item, shape)) && items,
    // About 25,000 items: the API returns all in one response.
    maxBytes: 33_554_432,
  },
  getItem: {
    name: 'getItem',
    path: '/api/items/item',
    read: ({ item }, shape, { item_id }) =>
      fitsItem(item, shape) &&
      (String(Object(item).id) === item_id ? item : ('other_item' satisfies ClientErrorCode)),
    parameters(id) {
      check('id', id, itemIdRule)
      return { item_id: String(id) }
    },
  },
  validatePurchase,
}
