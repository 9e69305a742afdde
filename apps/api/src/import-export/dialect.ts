import { codecs } from '../records/codecs.ts'
import type { StagedType } from '../records/columns.ts'
import type { RecordField } from '../records/table.ts'

/** The parts of an import's statements that differ between the databases. */
export interface Dialect {
  /** Comes before the name of a stored table, and of a staged one. */
  main: string
  staging: string
  /** A join whose order is kept where the database would plan it badly. */
  orderedJoin: string
  /** A staged value as that of a timestamp, of the column of a field, and of a column of JSON. */
  timestamp: (expression: string) => string
  valueOf: (field: RecordField, expression: string) => string
  json: (expression: string) => string
  /** A timestamp to the second: files know whole seconds. */
  second: (timestamp: string) => string
  earlier: (one: string, other: string) => string
  /** The elements of an array of JSON, as `e.value`. */
  elements: (json: string) => string
  /** The types of staged columns. A row is found by its key. */
  types: Readonly<Record<StagedType | 'key', string>>
  /** Updates the statistics of a table whose rows were changed, where the database does not do so itself. */
  analyse?: (table: string) => string
}

export const sqlite: Dialect = {
  main: 'main.',
  staging: 'staging.',
  // Keeps the order of the joins, and with it that of the index on the codes.
  orderedJoin: 'CROSS JOIN',
  timestamp: (expression) => expression,
  valueOf: (_, expression) => expression,
  json: (expression) => expression,
  second: (timestamp) => `floor(${timestamp} / 1000.0)`,
  earlier: (one, other) => `min(${one}, ${other})`,
  elements: (json) => `json_each(${json}) e`,
  // They change nothing of what is written; texts have none.
  types: { text: '', integer: 'INTEGER', boolean: 'INTEGER', bytes: 'BLOB', key: 'INTEGER PRIMARY KEY' },
}

export const postgresql: Dialect = {
  main: '',
  staging: 'pg_temp.',
  orderedJoin: 'JOIN',
  timestamp: codecs.timestamp.cast,
  valueOf: ({ codec, enumName }, expression) => codec.cast(expression, enumName),
  json: (expression) => `(${expression})::json`,
  second: (timestamp) => `date_trunc('second', ${timestamp})`,
  earlier: (one, other) => `least(${one}, ${other})`,
  elements: (json) => `json_array_elements_text((${json})::json) e(value)`,
  types: { text: 'text COLLATE "C"', integer: 'bigint', boolean: 'boolean', bytes: 'bytea', key: 'bigint' },
}
