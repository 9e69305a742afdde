import { fillBody, type OperationName, operationNames, routes, type Shape } from '@saleproof/schema/constants'
import {
  accountFields,
  type Fields,
  isField,
  itemFields,
  purchaseFields,
  type View,
} from '@saleproof/schema/records'

/** The type of a field, with `?` where it may be missing and `+` where it may be missing but not empty; or a list; or an object. */
export type StrictPattern = string | readonly [StrictPattern] | { readonly [field: string]: StrictPattern }

const suffixes: Readonly<Record<string, string>> = { always: '', not_empty: '+' }

function patternOf(fields: Fields, view: View): { [field: string]: StrictPattern } {
  const pattern: { [field: string]: StrictPattern } = {}
  for (const [name, entry] of Object.entries(fields)) {
    if (!isField(entry)) {
      const group = patternOf(entry, view)
      if (Object.keys(group).length > 0) pattern[name] = group
      continue
    }
    const condition = entry.shown[view]
    if (condition === undefined) continue
    pattern[name] =
      entry.type === 'item'
        ? patternOf(itemFields, view === 'base' ? 'summary' : view)
        : entry.type + (suffixes[condition] ?? '?')
  }
  return pattern
}

const tables = { account: accountFields, item: itemFields, purchase: purchaseFields }

/** What an operation finds in its success body: the one record or list of records that the body holds. */
function operationPattern(operation: OperationName, shape: Shape): StrictPattern {
  const found: StrictPattern[] = []
  fillBody(
    routes[operation].body,
    (record, isList) => {
      const pattern = patternOf(tables[record], shape)
      found.push(isList ? [pattern] : pattern)
    },
    () => {},
  )
  const [pattern] = found
  if (pattern === undefined || found.length > 1) throw new Error(`${operation} must hold one record`)
  return pattern
}

const patternsOf = (shape: Shape) =>
  // TypeScript does not follow the loop over all names.
  Object.fromEntries(
    operationNames.map((operation) => [operation, operationPattern(operation, shape)]),
  ) as Readonly<Record<OperationName, StrictPattern>>

/** The patterns of every operation, from the tables of fields. The build replaces this module by its value. */
export const strictPatterns = { base: patternsOf('base'), extended: patternsOf('extended') }
