import { type Condition, type ConditionParts, conditions, type View } from '@saleproof/schema/records'
import { jsonFunctions } from './codecs.ts'
import type { RecordField, RecordTable } from './table.ts'
import { byType, recordTables } from './tables.ts'
import { nest, type Tree } from './tree.ts'

/** A row as the drivers give it: lists and maps as JSON, timestamps in milliseconds since 1970, booleans as 0 and 1. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A field in JSON: the column that holds it, and when it is there. */
export interface ShownField {
  field: RecordField
  column: string
  condition: Condition
  /** Whether the JSON of the item itself stands there, in place of its id. */
  isNestedItem: boolean
}

/** A piece of the JSON of a record: text that never changes, or a value with the text before it. */
export type JsonPiece = string | (ShownField & { before: string })

/** The fields that a view of responses shows. */
export const shownFields = ({ presented }: RecordTable, view: View): readonly ShownField[] =>
  presented.flatMap((field) => {
    const condition = field.shown[view]
    if (condition === undefined) return []
    if (field.column === undefined) throw new TypeError(`a response shows ${field.path}, which has no column`)
    if (field.nullable && !('value' in conditions[condition]))
      throw new TypeError(`${field.path} may have no value: show it only when it is set`)
    return [{ field, column: field.column, condition, isNestedItem: field.type === 'item' }]
  })

/** The fields of an export. */
const exportedFields = ({ fields }: RecordTable): readonly ShownField[] =>
  fields.flatMap((field) => {
    const condition = field.nullable ? 'set' : 'always'
    return field.exported === undefined
      ? []
      : [{ field, column: field.exported, condition, isNestedItem: false }]
  })

function nestedPieces(tree: Tree<ShownField>, start: string): JsonPiece[] {
  let comma = start.endsWith('{') ? '' : ','
  const pieces = [...tree].flatMap(([name, node]) => {
    const before = `${comma}${JSON.stringify(name)}:`
    if (node instanceof Map) {
      comma = ','
      return nestedPieces(node, `${before}{`)
    }
    // Which field begins the object, without a comma, would depend on the row.
    if (comma === '' && node.condition !== 'always')
      throw new TypeError(`${node.field.path} may be left out, so it cannot be the first of its object`)
    comma = ','
    return [{ ...node, before }]
  })
  return [start, ...pieces, '}']
}

/** The JSON of an object that holds the fields, after its start. */
export const jsonPieces = (shown: readonly ShownField[], start = '{'): JsonPiece[] =>
  nestedPieces(nest(shown.map((each) => [each.field.path, each])), start)

/** The parts of a condition, as the source of an expression and as the SQL of SQLite. */
const conditionParts = {
  source: {
    set: (value: string) => `${value} !== null`,
    not_empty: (value: string) => `${value} !== '[]'`,
    kind: (kind: string) => `item.kind === '${kind}'`,
    otherKind: (kind: string) => `item.kind !== '${kind}'`,
    support: 'item.support === 1',
    and: ' && ',
  },
  sql: {
    set: (column: string) => `${column} IS NOT NULL`,
    not_empty: (column: string) => `${column} <> '[]'`,
    kind: (kind: string) => `kind = '${kind}'`,
    otherKind: (kind: string) => `kind <> '${kind}'`,
    support: 'support',
    and: ' AND ',
  },
}

/** A condition in a language; empty where it always holds. */
export function writeCondition(
  name: Condition,
  language: keyof typeof conditionParts,
  value: string,
): string {
  const { value: stored, kind, otherKind, support }: ConditionParts = conditions[name]
  const write = conditionParts[language]
  const parts: string[] = []
  if (kind) parts.push(write.kind(kind))
  if (otherKind) parts.push(write.otherKind(otherKind))
  if (support) parts.push(write.support)
  if (stored) parts.push(write[stored](value))
  return parts.join(write.and)
}

const literal = (text: string) => text.replace(/[\\`$]/g, '\\$&')

function toTemplate(piece: JsonPiece): string {
  if (typeof piece === 'string') return literal(piece)
  const { field, column, condition, isNestedItem, before } = piece
  const value = `row[${JSON.stringify(column)}]`
  const template = `${literal(before)}\${${isNestedItem ? 'item.json' : field.codec.json(value)}}`
  const test = writeCondition(condition, 'source', value)
  return test ? `\${${test} ? \`${template}\` : ''}` : template
}

/**
 * Makes a function of the source text of an expression, in which the names of `scope` stand for their values. In a compiled function the
 * columns of a record are constants: a loop over its fields takes half as long again. The text holds names from the tables of records,
 * quoted, and nothing that a request or a database gave.
 */
export const compile = <Compiled>(expression: string, scope: Readonly<Record<string, unknown>>): Compiled =>
  new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope))

/** What of an item decides about the JSON of a row, and, around a purchase, the JSON of the item. */
export type ItemOfRow = Readonly<{ kind?: unknown; support?: unknown; json?: string }>

/** Writes a row as JSON. The row of an item is its own item. */
export type Serialize = (row: StoredRow, item?: ItemOfRow) => string

/**
 * Makes the function that writes rows as JSON. Lists are stored as the JSON that they are sent as: to parse them takes longer than all the
 * rest.
 */
export function createSerializer(shown: readonly ShownField[], start?: string): Serialize {
  const template = jsonPieces(shown, start).map(toTemplate).join('')
  return compile(`(row, item = row) => \`${template}\``, jsonFunctions)
}

/** Writes a row of each type as a line of an export, without its end. */
export const serializeRecord = byType((type) =>
  createSerializer(exportedFields(recordTables[type]), `{"type":"${type}"`),
)

/** What an export selects for the fields of a record. */
export const selectFields = ({ fields }: RecordTable): string =>
  fields.flatMap(({ staged, select }) => (staged === undefined ? [] : `${select} AS "${staged}"`)).join(', ')
