import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg, { type Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { UserError } from '../../../user-error.ts'
import type { Lines } from '../lines.ts'
import type { Column, Table } from '../tables.ts'

const utc = (name: string, format: string) => `to_char("${name}" AT TIME ZONE 'UTC', '${format}')`
const rest = '-MM-DD"T"HH24:MI:SS.MS'

/** A column as both sides write it. The year before 0001 is 0000 there. */
function written({ name, kind }: Column): string {
  if (kind === 'timestamp')
    return `CASE WHEN "${name}" < '0001-01-01 00:00:00+00' THEN '0000' || ${utc(name, rest)}
      ELSE ${utc(name, `YYYY${rest}`)} END || '+00:00'`
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

/** The year 0000 as PostgreSQL reads it, in whole lines. */
function withEras(piece: Buffer, columns: readonly Column[]): Buffer {
  if (!piece.includes('0000-')) return piece
  const timestamps = columns.flatMap(({ kind }, index) => (kind === 'timestamp' ? [index] : []))
  const read = (line: string) => {
    const fields = line.split('\t')
    for (const index of timestamps) {
      const field = fields[index]
      if (field?.startsWith('0000-')) fields[index] = `0001${field.slice(4)} BC`
    }
    return fields.join('\t')
  }
  return Buffer.from(piece.toString().split('\n').map(read).join('\n'))
}

async function* readable(lines: Lines, columns: readonly Column[]): AsyncGenerator<Buffer> {
  for await (const piece of lines) yield withEras(piece, columns)
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
    await pipeline(
      Readable.from(readable(lines, columns)),
      client.query(copyFrom(`COPY "${name}" (${names}) FROM STDIN`)),
    )
  } catch (error) {
    throw explain(error, name)
  }
}
