import type { Shape } from '@saleproof/schema'
import type { OperationName, routes } from '@saleproof/schema/constants'
import type { Body } from './body.ts'
import { SaleproofError } from './errors.ts'
import { check, isPositiveInteger } from './options.ts'
import { readPurchaseCode } from './purchase-code.ts'

/** Whether a value is of the requested shape, or of either when none was requested, by what only that shape has. */
const fitsShape = (base: boolean, extended: boolean, shape: Shape | undefined): boolean =>
  shape ? (shape === 'base' ? base : extended) : base || extended

/** How the client makes a call. */
export interface Call {
  readonly name: OperationName
  readonly method: 'GET' | 'POST'
  readonly path: string
  /**
   * What a success body holds, or a promise of it, if it has the fields that decide, that are computed with and that tell the shape; a
   * `validate` checks the others. Nothing where it is the answer to another request: a cache on the way may have returned it.
   */
  readonly read: (
    body: Body,
    shape: Shape | undefined,
    parameters: Readonly<Record<string, string>>,
    headers: Headers,
  ) => unknown
  /** The parameters, from the argument that the call takes before its options. */
  readonly parameters?: (argument: unknown) => Record<string, string> | Promise<Record<string, string>>
  /** A longer response is not read to its end. 1 MiB by default. */
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
      fitsShape(Number.isFinite(price), typeof version === 'string', shape) &&
      readPurchaseCode(code) === purchase_code &&
      purchase
    )
  },
  parameters(code) {
    const text = readPurchaseCode(code)
    if (text) return { purchase_code: text }
    throw new SaleproofError('rejected', { code: 'malformed_code' })
  },
}

const isItem = (value: unknown, shape: Shape | undefined): boolean => {
  const { id, name, price, media, version } = Object(value)
  return (
    Number.isFinite(id) &&
    typeof name === 'string' &&
    Number.isFinite(Object(price).regular) &&
    fitsShape(typeof Object(media).preview_image === 'string', typeof version === 'string', shape)
  )
}

/** The calls of a client. */
export const calls: { readonly [Name in OperationName]: CallOf<Name> } = {
  getAccount: {
    name: 'getAccount',
    method: 'GET',
    path: '/api/account/details',
    read({ data }) {
      const { balance, username } = Object(data)
      return Number.isFinite(balance) && typeof username === 'string' && data
    },
  },
  listItems: {
    name: 'listItems',
    method: 'GET',
    path: '/api/items/all',
    read: ({ items }, shape) => Array.isArray(items) && items.every((item) => isItem(item, shape)) && items,
    // About 50,000 items: the API returns all in one response.
    maxBytes: 67_108_864,
  },
  getItem: {
    name: 'getItem',
    method: 'GET',
    path: '/api/items/item',
    read: ({ item }, shape, { item_id }) =>
      isItem(item, shape) && String(Object(item).id) === item_id && item,
    parameters(id) {
      check('id', id, isPositiveInteger)
      return { item_id: String(id) }
    },
  },
  validatePurchase,
}
