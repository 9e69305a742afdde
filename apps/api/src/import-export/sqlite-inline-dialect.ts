import { sqlite } from './dialect.ts'
import type { InlineDialect, ListColumn } from './inline-staging.ts'

const read = ({ name, type }: ListColumn) => {
  const value = `value ->> '$."${name}"'`
  return `${type === 'bytes' ? `unhex(${value})` : value} AS "${name}"`
}

export const inlineSqlite: InlineDialect = {
  ...sqlite,
  rowsOf: (list, columns) => `SELECT ${columns.map(read).join(', ')} FROM json_each($1, '$."${list}"')`,
  textIn: (name) => `$1 ->> '$.${name}'`,
  numberIn: (name) => `$1 ->> '$.${name}'`,
}
