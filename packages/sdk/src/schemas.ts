import type {
  Account,
  ItemBase,
  ItemExtended,
  PurchaseBase,
  PurchaseExtended,
  Shape,
} from '@saleproof/schema'
import { fillBody, type OperationName, routes } from '@saleproof/schema/constants'
import {
  accountFields,
  type Fields,
  type FieldType,
  fieldList,
  isField,
  isFilledList,
  itemFields,
  purchaseFields,
  rules,
  type View,
} from '@saleproof/schema/records'

/** A problem of a value: its path and a message that does not repeat the value. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema as <https://standardschema.dev> describes it: forms, tRPC, Hono and others take it as it is. */
export interface Schema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: T; readonly issues?: undefined }
      | { readonly issues: readonly SchemaIssue[] }
      | Promise<
          { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }
        >
    readonly types?: { readonly input: T; readonly output: T } | undefined
  }
}

/** A type that no response shows has no rule: its field would never be valid. */
const ruleOf: Readonly<Partial<Record<FieldType, (value: unknown) => boolean>>> = rules

const isShown = (fields: Fields, view: View) => fieldList(fields).some(({ field }) => field.shown[view])

/** Reads what a view shows of a record, its names in the table alone, and adds to `issues` what is wrong. */
function read(
  fields: Fields,
  view: View,
  record: unknown,
  issues: SchemaIssue[],
  parent: readonly string[] = [],
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(fields)) {
    const value: unknown = Reflect.get(Object(record), name)
    const path = [...parent, name]
    if (!isField(entry)) {
      if (isShown(entry, view)) result[name] = read(entry, view, value, issues, path)
      continue
    }
    const { type, shown } = entry
    const condition = shown[view]
    if (!condition || (value === undefined && condition !== 'always')) continue
    if (type === 'item') {
      result[name] = read(itemFields, view === 'base' ? 'summary' : view, value, issues, path)
    } else if (ruleOf[type]?.(value) && (condition !== 'not_empty' || isFilledList(value))) {
      result[name] = value
    } else {
      issues.push({ message: value === undefined ? 'is missing' : `is not a valid ${type}`, path })
    }
  }
  return result
}

const schemaOf = <T>(fields: Fields, view: View): Schema<T> => ({
  '~standard': {
    version: 1,
    vendor: 'saleproof',
    validate(value) {
      const issues: SchemaIssue[] = []
      const result = read(fields, view, value, issues)
      // The rules of the table were checked; the tests of the schema package compare the table with `T`.
      return issues.length > 0 ? { issues } : { value: result as T }
    },
  },
})

const byShape = <Base, Extended>(fields: Fields) => ({
  base: schemaOf<Base>(fields, 'base'),
  extended: schemaOf<Extended>(fields, 'extended'),
})

/**
 * The full schemas of every response. Unknown fields are accepted and left out of the result.
 *
 * @example
 * const result = await schemas.purchase.base['~standard'].validate(value)
 */
export const schemas: {
  readonly account: Schema<Account>
  readonly item: { readonly base: Schema<ItemBase>; readonly extended: Schema<ItemExtended> }
  readonly purchase: { readonly base: Schema<PurchaseBase>; readonly extended: Schema<PurchaseExtended> }
} = {
  account: schemaOf(accountFields, 'base'),
  item: byShape(itemFields),
  purchase: byShape(purchaseFields),
}

const fieldsOf = { account: accountFields, item: itemFields, purchase: purchaseFields }

/**
 * Checks every field of every success body: links, timestamps, currencies, amounts. Give it to a client as `validate`. Without
 * it, a client checks what decides and what is computed with.
 *
 * @example
 * const client = createClient({ baseUrl, apiKey, validate: strictValidator })
 */
export function strictValidator(operation: OperationName, value: unknown, shape?: Shape): boolean {
  const fits = (view: Shape) => {
    const issues: SchemaIssue[] = []
    fillBody(
      routes[operation].body,
      (record, isList) => {
        const records: unknown = isList ? value : [value]
        if (!Array.isArray(records)) issues.push({ message: 'is not a list' })
        else for (const each of records) read(fieldsOf[record], view, each, issues)
      },
      () => {},
    )
    return issues.length === 0
  }
  return (shape !== 'extended' && fits('base')) || (shape !== 'base' && fits('extended'))
}
