import type { Pool } from 'pg'
import { DatabaseError, isBusy } from '../../db/errors.ts'
import type { Address } from '../../db/postgres/address.ts'
import { rowTypes } from '../../db/postgres/row-types.ts'
import { inTransaction, takeWriteLock } from '../../db/postgres/transactions.ts'
import { type Row, runStepsAsync } from '../../db/sql-steps.ts'
import { postgresql } from '../dialect.ts'
import { createInlineReader, type InlineDialect, type ListColumn } from '../inline-staging.ts'
import type { InlineTarget } from '../target.ts'
import { columnTypes, withEras } from './staging.ts'

const read = ({ name, type }: ListColumn) =>
  type === 'bytes' ? `decode("${name}", 'hex') AS "${name}"` : `"${name}"`

const define = ({ name, type }: ListColumn) => `"${name}" ${columnTypes[type === 'bytes' ? 'text' : type]}`

const dialect: InlineDialect = {
  ...postgresql,
  rowsOf: (list, columns) =>
    `SELECT ${columns.map(read).join(', ')} FROM json_to_recordset($1::json -> '${list}') AS r(${columns.map(define).join(', ')})`,
  textIn: (name) => `($1::json ->> '${name}')`,
  numberIn: (name) => `($1::json ->> '${name}')::int`,
  valuesOf: withEras,
}

/** Another begin than that of a reader: a standby refuses it. */
const begin = { readonly: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN READ WRITE' }

/** The server plans a statement once for each connection. */
const maxPrepared = 100

/** Names for statements: the first ones, which most imports consist of. PgBouncer may give each transaction another connection. */
function createNames({ pgbouncer }: Address) {
  const names = new Map<string, string>()
  return (sql: string): string | undefined => {
    if (!pgbouncer && names.size < maxPrepared && !names.has(sql)) names.set(sql, `import-${names.size}`)
    return names.get(sql)
  }
}

/** Imports over a connection of the pool. */
export function createPostgresInlineTarget(pool: Pool, address: Address): InlineTarget {
  const nameOf = createNames(address)
  return {
    reader: createInlineReader(dialect),
    async transact(steps, { readonly, throwIfAborted }) {
      const client = await pool.connect()
      let failure: unknown
      async function run(text: string, ...values: unknown[]): Promise<Row[]> {
        throwIfAborted()
        const { rows } = await client.query({ name: nameOf(text), text, values, types: rowTypes })
        return rows
      }
      try {
        return await inTransaction(client, readonly ? begin.readonly : begin.write, async () => {
          if (!readonly) await takeWriteLock(client)
          const result = await runStepsAsync(steps(), run)
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
  }
}
