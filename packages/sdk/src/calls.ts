import type { Shape } from '@saleproof/schema'
import type { OperationName, routes } from '@saleproof/schema/constants'
import type { Body } from './body.ts'
import { type ClientErrorCode, SaleproofError } from './errors.ts'
import { check, isFunction, isItemId, type Rule, type Rules } from './options.ts'
import { readPurchaseCode } from './purchase-code.ts'
import type { Passes, StandardSchema, Validate } from './types.ts'

/** Whether a value is of the requested shape, or of either when none was requested, by what only that shape has. */
const fitsShape = (base: boolean, extended: boolean, shape: Shape | undefined): boolean =>
  (shape !== 'extended' && base) || (shape !== 'base' && extended)

/** How the client makes a call. */
export interface Call {
  readonly name: OperationName
  readonly method?: 'POST'
  readonly path: string
  /**
   * What a success body holds, or a promise of it, if it has the fields that decide, that are computed with and that tell the shape; a
   * `validate` checks the others. An error code where it is the answer to another request: a cache on the way may have returned it.
   */
  readonly read: (
    body: Body,
    shape: Shape | undefined,
    parameters: Readonly<Record<string, string>>,
    headers: Headers,
  ) => unknown
  /** The parameters, from the argument that the call takes before its options. */
  readonly parameters?: (argument: unknown) => Record<string, string> | Promise<Record<string, string>>
  /** The default of `maxResponseBytes`. */
  readonly maxBytes?: number
}

/** A call whose path the compiler compares with that of the contract: to import it would bundle more than the path. */
type CallOf<Name extends OperationName> = Call & {
  readonly name: Name
  readonly path: (typeof routes)[Name]['path']
}

const isSchema: Rule = (value) =>
  isFunction((value as Partial<StandardSchema> | null)?.['~standard']?.validate)

/** What `validate` may hold. */
export const schemaRules: Rules<Validate> = {
  validatePurchase: isSchema,
  getItem: isSchema,
  listItems: isSchema,
  getAccount: isSchema,
}

/** A call that believes passes alone, if the client does. */
export const applyPasses = (passes: Passes | undefined, call: Call): Call =>
  // Only this package makes them.
  (passes?.(call as never) ?? call) as Call

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
      (readPurchaseCode(code) === purchase_code ? purchase : ('other_purchase' satisfies ClientErrorCode))
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
    path: '/api/account/details',
    read({ data }) {
      const { balance, username } = Object(data)
      return Number.isFinite(balance) && typeof username === 'string' && data
    },
  },
  listItems: {
    name: 'listItems',
    path: '/api/items/all',
    read: ({ items }, shape) => Array.isArray(items) && items.every((item) => isItem(item, shape)) && items,
    // About 25,000 items: the API returns all in one response.
    maxBytes: 33_554_432,
  },
  getItem: {
    name: 'getItem',
    path: '/api/items/item',
    read: ({ item }, shape, { item_id }) =>
      isItem(item, shape) &&
      (String(Object(item).id) === item_id ? item : ('other_item' satisfies ClientErrorCode)),
    parameters(id) {
      check('id', id, isItemId)
      return { item_id: String(id) }
    },
  },
  validatePurchase,
}
