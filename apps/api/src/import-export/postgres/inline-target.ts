import type { Pool } from 'pg'
import { DatabaseError, isBusy } from '../../db/errors.ts'
import { selectOn } from '../../db/postgres/row-types.ts'
import { inTransaction, takeWriteLock } from '../../db/postgres/transactions.ts'
import { type Row, runStepsAsync } from '../../db/sql-steps.ts'
import { postgresql } from '../dialect.ts'
import type { InlineDialect, ListColumn } from '../inline-staging.ts'
import type { InlineTarget } from '../target.ts'
import { columnTypes, withEras } from './staging.ts'

const read = ({ name, type }: ListColumn) =>
  type === 'bytes' ? `decode("${name}", 'hex') AS "${name}"` : `"${name}"`

const define = ({ name, type }: ListColumn) => `"${name}" ${columnTypes[type === 'bytes' ? 'text' : type]}`

const dialect: InlineDialect = {
  ...postgresql,
  rowsOf: (list, columns) =>
    `SELECT ${columns.map(read).join(', ')} FROM json_to_recordset($1::json -> '${list}') AS r(${columns.map(define).join(', ')})`,
  valuesOf: withEras,
}

/** Another begin than that of a reader: a standby refuses it. */
const begin = { readonly: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN READ WRITE' }

/** Imports over a connection of the pool. */
export const createPostgresInlineTarget = (pool: Pool): InlineTarget => ({
  dialect,
  async transact(steps, { readonly, throwIfAborted }) {
    const client = await pool.connect()
    const select = selectOn(client)
    let failure: unknown
    try {
      return await inTransaction(client, readonly ? begin.readonly : begin.write, async () => {
        if (!readonly) await takeWriteLock(client)
        const result = await runStepsAsync(steps(), (sql, ...values) => {
          throwIfAborted()
          return select<Row>(sql, ...values)
        })
        throwIfAborted()
        return result
      })
    } catch (error) {
      failure = error
      throw error
    } finally {
      client.release(failure instanceof DatabaseError && !isBusy(failure))
    }
  },
})
