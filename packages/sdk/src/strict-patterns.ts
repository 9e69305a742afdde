import {
  fillBody,
  type OperationName,
  operationNames,
  type RecordName,
  routes,
} from '@saleproof/schema/constants'
import {
  accountFields,
  type Fields,
  isField,
  itemFields,
  purchaseFields,
  type View,
} from '@saleproof/schema/records'

/**
 * What a value must be: an object by its fields, a list, or a name: of a record, or of the type of a field, with `?` where the field may
 * be missing and `+` where it may be missing but not empty.
 */
export type StrictPattern = string | readonly [StrictPattern] | { readonly [field: string]: StrictPattern }

const suffixes: Readonly<Record<string, string>> = { always: '', not_empty: '+' }

function patternOf(fields: Fields, view: View): { readonly [field: string]: StrictPattern } {
  const pattern: { [field: string]: StrictPattern } = {}
  for (const [name, entry] of Object.entries(fields)) {
    if (!isField(entry)) {
      const group = patternOf(entry, view)
      if (Object.keys(group).length > 0) pattern[name] = group
      continue
    }
    const condition = entry.shown[view]
    if (condition !== undefined) pattern[name] = entry.type + (suffixes[condition] ?? '?')
  }
  return pattern
}

/** What an operation finds in its success body: the one record or list of records that the body holds. */
function operationPattern(operation: OperationName): RecordName | readonly [RecordName] {
  const found: (RecordName | readonly [RecordName])[] = []
  fillBody(
    routes[operation].body,
    (record, isList) => void found.push(isList ? [record] : record),
    () => {},
  )
  const [pattern] = found
  if (pattern === undefined || found.length > 1) throw new Error(`${operation} must hold one record`)
  return pattern
}

// TypeScript does not follow the loop over all names.
export const operationPatterns = Object.fromEntries(
  operationNames.map((operation) => [operation, operationPattern(operation)]),
) as Readonly<Record<OperationName, StrictPattern>>

/** The records by shape; the item of a base purchase is a summary. The build replaces this module by its values. */
export const recordPatterns: Readonly<Record<'base' | 'extended', Readonly<Record<string, StrictPattern>>>> =
  {
    base: {
      account: patternOf(accountFields, 'base'),
      item: patternOf(itemFields, 'base'),
      purchase: { ...patternOf(purchaseFields, 'base'), item: patternOf(itemFields, 'summary') },
    },
    extended: {
      item: patternOf(itemFields, 'extended'),
      purchase: patternOf(purchaseFields, 'extended'),
    },
  }
