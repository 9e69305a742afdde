import type { Sql } from '../db/sql.ts'

/** Statements of as many rows are planned once: SQLite looks each parameter up among those before it. */
const rowsAtOnce = 20

export function* inParts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce)
}

export const parameters = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

interface Upsert {
  table: string
  columns: readonly string[]
  rows: readonly (readonly unknown[])[]
  key: readonly string[]
  /** What becomes of a stored row. */
  change: string
}

export const listed = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

export async function upsert(sql: Sql, { table, columns, rows, key, change }: Upsert) {
  for (const part of inParts(rows)) {
    const values = part.map((row, index) => `(${parameters(row.length, index * row.length + 1)})`)
    await sql.run(
      `INSERT INTO "${table}" (${listed(columns)}) VALUES ${values.join(', ')}
       ON CONFLICT (${listed(key)}) DO UPDATE SET ${change}`,
      ...part.flat(),
    )
  }
}
