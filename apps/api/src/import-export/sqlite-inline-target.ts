import { type Row, runSteps } from '../db/sql-steps.ts'
import { runSql } from '../db/sqlite/connection.ts'
import type { SqliteWriter } from '../db/sqlite/writer.ts'
import { sqlite } from './dialect.ts'
import { createInlineReader, type InlineDialect, type ListColumn } from './inline-staging.ts'
import type { InlineTarget } from './target.ts'

const read = ({ name, type }: ListColumn) => {
  const value = `value ->> '$."${name}"'`
  return `${type === 'bytes' ? `unhex(${value})` : value} AS "${name}"`
}

const dialect: InlineDialect = {
  ...sqlite,
  rowsOf: (list, columns) => `SELECT ${columns.map(read).join(', ')} FROM json_each($1, '$."${list}"')`,
  textIn: (name) => `$1 ->> '$.${name}'`,
  numberIn: (name) => `$1 ->> '$.${name}'`,
  valuesOf: (_, row) => row,
}

/** Imports by the connection that writes for the process, in one turn of its event loop. */
export const createSqliteInlineTarget = ({ transact }: SqliteWriter): InlineTarget => ({
  reader: createInlineReader(dialect),
  transact: (steps, { readonly, throwIfAborted }) =>
    transact((db) => {
      const result = runSteps(steps(), (sql, ...values) => {
        throwIfAborted()
        return runSql<Row>(db, sql, ...values)
      })
      throwIfAborted()
      return result
    }, readonly),
})
