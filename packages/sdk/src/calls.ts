import type { Item, Purchase, Shape } from '@saleproof/schema'
import type { OperationName, routes } from '@saleproof/schema/constants'
import type { Body } from './body.ts'
import { type ClientErrorCode, SaleproofError } from './errors.ts'
import { check, itemIdRule } from './options.ts'
import { isSameCode, readPurchaseCode } from './purchase-code.ts'

/** A pattern by example: a value fits when it is of the same type, field by field. Other fields may be there. */
type Pattern = '' | 0 | { readonly [field: string]: Pattern }

const fits = (pattern: Pattern, value: unknown): boolean =>
  typeof pattern === 'object'
    ? Object(value) === value &&
      Object.entries(pattern).every(([field, inner]) => fits(inner, Object(value)[field]))
    : typeof pattern === typeof value

/** Whether a value fits the pattern of the requested shape; of either shape when none was requested. */
const fitsShape = (base: Pattern, extended: Pattern, value: unknown, shape: Shape | undefined): boolean =>
  (shape !== 'extended' && fits(base, value)) || (shape !== 'base' && fits(extended, value))

/** How the client makes a call. */
export interface Call {
  readonly name: OperationName
  readonly method?: 'POST'
  readonly path: string
  /** What a success body holds. */
  readonly find: (body: Body) => unknown
  /** Whether that has the fields that decide, that are computed with and that tell the shape; a `validate` checks the others. */
  readonly fits: (value: unknown, shape: Shape | undefined) => boolean
  /** The error code of a value that is the answer to another request: a cache on the way may have returned it. */
  readonly mismatch?: (value: never, parameters: Record<string, string>) => ClientErrorCode | false
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
  // Older deployments send the purchase as `item`.
  find: (body) => Object(body.data).purchase ?? body.item,
  fits(value, shape) {
    const { purchase_code, item, price } = Object(value)
    const { id, version } = Object(item)
    return (
      typeof purchase_code === 'string' &&
      typeof id === 'number' &&
      ((shape !== 'extended' && typeof price === 'number') ||
        (shape !== 'base' && typeof version === 'string'))
    )
  },
  mismatch: (value: Pick<Purchase, 'purchase_code'>, { purchase_code = '' }) =>
    !isSameCode(purchase_code, value.purchase_code) && 'other_purchase',
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
    find: (body) => body.data,
    fits: (value) =>
      fits({ username: '', email: '', balance: 0, currency: '', name: {}, profile: { media: {} } }, value),
  },
  listItems: {
    name: 'listItems',
    path: '/api/items/all',
    find: (body) => body.items,
    fits: (value, shape) => Array.isArray(value) && value.every((item) => fitsItem(item, shape)),
    // About 25,000 items: the API returns all in one response.
    maxBytes: 33_554_432,
  },
  getItem: {
    name: 'getItem',
    path: '/api/items/item',
    find: (body) => body.item,
    fits: fitsItem,
    mismatch: (value: Pick<Item, 'id'>, { item_id }) => String(value.id) !== item_id && 'other_item',
    parameters(id) {
      check('id', id, itemIdRule)
      return { item_id: String(id) }
    },
  },
  validatePurchase,
}
