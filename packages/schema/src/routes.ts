import { typedKeys } from './keys.ts'

/** The name of an operation. Everything else about an operation is found by it. */
export type OperationName = 'getAccount' | 'listItems' | 'getItem' | 'validatePurchase'

/** The name of a parameter. */
export type ParameterName = 'api_key' | 'item_id' | 'purchase_code' | 'shape' | 'pass'

/** The name of a record that a response holds. */
export type RecordName = 'account' | 'item' | 'purchase'

/** The fields of a body: a record is written as its name, a list of records as a list with the name. */
export interface BodyTemplate {
  readonly [field: string]: RecordName | readonly [RecordName] | BodyTemplate
}

/** Where an operation is, and what its success body holds beside `status`. */
export interface Route {
  path: string
  body: BodyTemplate
}

/**
 * The route of each operation. In a module apart from `operations`, so that the SDK bundles no more than this.
 *
 * @example
 * routes.getItem.path // '/api/items/item'
 */
export const routes = {
  getAccount: { path: '/api/account/details', body: { data: 'account' } },
  listItems: { path: '/api/items/all', body: { items: ['item'] } },
  getItem: { path: '/api/items/item', body: { item: 'item' } },
  validatePurchase: { path: '/api/purchases/validation', body: { data: { purchase: 'purchase' } } },
} as const satisfies Record<OperationName, Route>

/** The names of the operations, in the order of the contract. */
export const operationNames: readonly OperationName[] = /* @__PURE__ */ typedKeys(routes)

const isList = (entry: RecordName | readonly [RecordName] | BodyTemplate): entry is readonly [RecordName] =>
  Array.isArray(entry)

/**
 * The fields of a success body beside `status`. `record` gives the value of a record or a list of them, `group` the value of a
 * nested object.
 *
 * @example
 * fillBody(routes.getItem.body, () => item, (fields) => fields) // { item }
 */
export const fillBody = <T>(
  body: BodyTemplate,
  record: (name: RecordName, isList: boolean) => T,
  group: (fields: Record<string, T>) => T,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(body).map(([field, entry]) => {
      if (typeof entry === 'string') return [field, record(entry, false)]
      return [field, isList(entry) ? record(entry[0], true) : group(fillBody(entry, record, group))]
    }),
  )
