import { postgresql } from '../dialect.ts'
import type { InlineDialect, ListColumn } from '../inline-staging.ts'
import { columnTypes } from './staging.ts'

const read = ({ name, type }: ListColumn) =>
  type === 'bytes' ? `decode("${name}", 'hex') AS "${name}"` : `"${name}"`

const define = ({ name, type }: ListColumn) => `"${name}" ${columnTypes[type === 'bytes' ? 'text' : type]}`

export const inlinePostgresql: InlineDialect = {
  ...postgresql,
  rowsOf: (list, columns) =>
    `SELECT ${columns.map(read).join(', ')} FROM json_to_recordset($1::json -> '${list}') AS r(${columns.map(define).join(', ')})`,
  textIn: (name) => `($1::json ->> '${name}')`,
  numberIn: (name) => `($1::json ->> '${name}')::int`,
}
