import type { Sql } from '../db/sql.ts'

type Row = readonly unknown[]

/** A statement of more rows would take longer than a server allows. */
const rowsAtOnce = 1000

/** Rows as one parameter, so that any number of them is one statement. PostgreSQL reads fields of an object with `json_each`, and no list. */
const toParameter = (rows: readonly Row[]) => JSON.stringify({ ...rows })

/** The condition that a key is one of those in a parameter, and that parameter. */
export const isListed = '"keyId" IN (SELECT value ->> 0 FROM json_each($1))'
export const toKeys = (keyIds: readonly string[]) => toParameter(keyIds.map((keyId) => [keyId]))

interface Upsert {
  table: string
  columns: readonly string[]
  /** Numbers stand in columns of integers. */
  rows: readonly Row[]
  key: readonly string[]
  /** What becomes of a stored row. */
  change: string
}

export const listed = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

export async function upsert(sql: Sql, { table, columns, rows, key, change }: Upsert) {
  const columnType = (value: unknown) => (typeof value === 'number' ? 'bigint' : 'text')
  const values = rows[0]?.map((value, index) => `CAST(value ->> ${index} AS ${columnType(value)})`) ?? []
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    // Not all at once: to write out so many would hold up requests.
    await sql.query(
      // Without WHERE, SQLite takes the ON behind it for that of a join.
      `INSERT INTO "${table}" (${listed(columns)}) SELECT ${values.join(', ')} FROM json_each($1) WHERE true
       ON CONFLICT (${listed(key)}) DO UPDATE SET ${change}`,
      toParameter(rows.slice(start, start + rowsAtOnce)),
    )
}
