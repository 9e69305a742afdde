import { formatMoney, formatTimestamp } from '@saleproof/schema'
import type { Condition, View } from '@saleproof/schema/records'
import type { Storage } from './field-types.ts'
import type { RecordField, RecordTable } from './table.ts'
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
    if (field.nullable && (condition === 'always' || condition === 'not_audio'))
      throw new TypeError(`${field.path} may have no value: show it only when it is set`)
    return [{ field, column: field.column, condition, isNestedItem: field.type === 'item' }]
  })

/** The fields of an export. */
export const exportedFields = ({ fields }: RecordTable): readonly ShownField[] =>
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

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the source text of templates
/** What stands for a value in the template. */
const values: Readonly<Record<Storage, (value: string) => string>> = {
  text: (value) => `\${text(${value})}`,
  enum: (value) => `\${text(${value})}`,
  integer: (value) => `\${${value}}`,
  money: (value) => `\${money(${value}, row.currency)}`,
  boolean: (value) => `\${${value} === 1}`,
  timestamp: (value) => `"\${timestamp(${value})}"`,
  json: (value) => `\${${value}}`,
}

const conditions: Readonly<Record<Condition, (value: string) => string>> = {
  always: () => 'true',
  set: (value) => `${value} !== null`,
  not_empty: (value) => `${value} !== '[]'`,
  not_audio: () => `item.kind !== 'audio'`,
  video_only: (value) => `item.kind === 'video' && ${value} !== null`,
  audio_only: (value) => `item.kind === 'audio' && ${value} !== null`,
  with_support: (value) => `item.support === 1 && ${value} !== null`,
}

const literal = (text: string) => text.replace(/[\\`$]/g, '\\$&')

function templateOf(piece: JsonPiece): string {
  if (typeof piece === 'string') return literal(piece)
  const { field, column, condition, isNestedItem, before } = piece
  const value = `row[${JSON.stringify(column)}]`
  const template = literal(before) + (isNestedItem ? '${item.json}' : values[field.storage](value))
  return condition === 'always' ? template : `\${${conditions[condition](value)} ? \`${template}\` : ''}`
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the source text of templates

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
  const template = jsonPieces(shown, start).map(templateOf).join('')
  const timestamp = (ms: number) => formatTimestamp(new Date(ms))
  return compile(`(row, item = row) => \`${template}\``, {
    text: JSON.stringify,
    money: formatMoney,
    timestamp,
  })
}
