import type { operations, Shape } from '@saleproof/schema'
import type { OperationName } from './names.ts'

/** A pattern by example: a value fits when it is of the same type, member by member. Other members may be there. */
type Pattern = string | number | boolean | readonly Pattern[] | PatternOf

interface PatternOf {
  readonly [member: string]: Pattern
}

export function fits(pattern: Pattern, value: unknown): boolean {
  if (typeof value !== typeof pattern || value === null) return false
  if (Array.isArray(pattern)) return Array.isArray(value) && value.every((entry) => fits(pattern[0]!, entry))
  if (typeof pattern === 'object') {
    for (const name in pattern as PatternOf) {
      if (!fits((pattern as PatternOf)[name]!, (value as Record<string, unknown>)[name])) return false
    }
  }
  return true
}

// What decides, what is computed with and what is reached through; `@saleproof/sdk/schemas` checks everything.
const account = { username: '', email: '', balance: 0, currency: '', name: {}, profile: { media: {} } }
const item = { id: 0, name: '', tags: [''], price: { regular: 0, extended: 0 }, currency: '' }
const itemBase = { ...item, media: { preview_image: '', screenshots: [''] } }
const itemExtended = { ...item, version: '', media: {} }
const purchase = { purchase_code: '', license_type: '', currency: '', downloaded: true, date: '' }

type Body = Record<string, unknown>

/** Of each operation the path, the patterns of both shapes and where the value is in the body. */
export const answers: {
  readonly [Name in OperationName]: readonly [
    path: (typeof operations)[Name]['path'],
    base: Pattern,
    extended: Pattern,
    find: (body: Body) => unknown,
  ]
} = {
  getAccount: ['/api/account/details', account, account, (body) => body.data],
  listItems: ['/api/items/all', [itemBase], [itemExtended], (body) => body.items],
  getItem: ['/api/items/item', itemBase, itemExtended, (body) => body.item],
  validatePurchase: [
    '/api/purchases/validation',
    { ...purchase, price: 0, item: { id: 0, name: '' } },
    // Of the item only what tells which one it is: a member that it lacks says nothing about the sale.
    { ...purchase, item: { id: 0, name: '', version: '' } },
    // Older deployments send the purchase as `item`.
    (body) => (body.data as Body | undefined)?.purchase ?? body.item,
  ],
}

/** What a success body carries, or `undefined` where it is not of the shape that was asked for (of neither, when none was). */
export function decode(operation: OperationName, body: Body, shape: Shape | undefined): unknown {
  const [, base, extended, find] = answers[operation]
  const value = find(body)
  return (shape !== 'extended' && fits(base, value)) || (shape !== 'base' && fits(extended, value))
    ? value
    : undefined
}
