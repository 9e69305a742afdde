import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg, { type Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { UserError } from '../../../user-error.ts'
import type { Lines } from '../lines.ts'
import type { Column, Table } from '../tables.ts'

/** A column as both sides write it. */
function written({ name, kind }: Column): string {
  if (kind === 'timestamp')
    return `to_char("${name}" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+00:00'`
  if (kind === 'bytes') return `chr(92) || 'x' || encode("${name}", 'hex')`
  if (kind === 'flag') return `"${name}"::int`
  return `"${name}"`
}

const inOrder = ({ name, kind }: Column) => (kind === 'text' ? `"${name}"::text COLLATE "C"` : `"${name}"`)

/** The rows of a table in PostgreSQL. */
export function linesOn(client: Client, { name, columns, key }: Table): Lines {
  const rows = `SELECT ${columns.map(written).join(', ')} FROM "${name}" ORDER BY ${key.map(inOrder).join(', ')}`
  return client.query(copyTo(`COPY (${rows}) TO STDOUT`))
}

/** PostgreSQL's own message repeats the row. */
function explain(error: unknown, table: string): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code = '', where = '' } = error
  if (!/^2[23]/.test(code)) return error
  const [, row = '', column = ''] = /, line (\d+)(?:, column (\w+))?/.exec(where) ?? []
  const position = `${row ? `row ${row}, in the order of the key,` : 'a row'} of "${table}"`
  return new UserError(
    `${position} is none that PostgreSQL takes (${[code, column].filter(Boolean).join(', ')}): fix it and transfer again; nothing was transferred`,
  )
}

/** Writes rows into a table of PostgreSQL. */
export async function loadOn(client: Client, { name, columns }: Table, lines: Lines) {
  // Migrations insert some rows.
  await client.query(`DELETE FROM "${name}"`)
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  try {
    await pipeline(Readable.from(lines), client.query(copyFrom(`COPY "${name}" (${names}) FROM STDIN`)))
  } catch (error) {
    throw explain(error, name)
  }
}
