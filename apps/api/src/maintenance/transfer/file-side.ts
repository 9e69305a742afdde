import { type CopyValue, copyLine } from '../../db/postgres/copy-text.ts'
import { pragmaRows, type SqliteConnection } from '../../db/sqlite/connection.ts'
import { UserError } from '../../user-error.ts'
import { eachLine, type Lines, valuesOf } from './lines.ts'
import { type ColumnInfo, describeTable, type FilePart, type Table, tables } from './tables.ts'

export type Databases = Readonly<Record<FilePart, SqliteConnection>>

const pieceLength = 1 << 18

const listed = (columns: readonly { name: string }[]) => columns.map(({ name }) => `"${name}"`).join(', ')

/** The tables of a deployment, as they are in its files. */
export const tablesOf = (databases: Databases): Table[] =>
  tables.map((named) =>
    describeTable(named, pragmaRows<ColumnInfo>(databases[named.part], `table_info("${named.name}")`)),
  )

/** PostgreSQL cannot store U+0000; the error names column and row, not the text. */
function refuseZeros(databases: Databases, { name, part, columns }: Table): never {
  const found = columns
    .filter(({ kind }) => kind === 'text')
    .flatMap((column) => {
      const rowid = databases[part]
        .prepare(`SELECT rowid FROM "${name}" WHERE instr("${column.name}", char(0)) LIMIT 1`)
        .pluck()
        .get()
      return rowid === undefined ? [] : [`"${column.name}" of the row of "${name}" with the rowid ${rowid}`]
    })
  throw new UserError(
    `${found.join(' and ')} holds U+0000, which PostgreSQL cannot store: change that and transfer again; nothing was transferred`,
  )
}

/** The rows of a table, in pieces. */
export function* linesIn(databases: Databases, table: Table): Generator<string> {
  const { name, part, columns, key } = table
  const rows = databases[part]
    .prepare<[], CopyValue[]>(`SELECT ${listed(columns)} FROM "${name}" ORDER BY ${listed(key)}`)
    .raw()
  let piece = ''
  for (const row of rows.iterate()) {
    piece += copyLine(row)
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

/** The same for PostgreSQL. */
export function* linesForPostgres(databases: Databases, table: Table): Generator<string> {
  const rows = linesIn(databases, table)
  for (const piece of rows) {
    if (piece.includes('\0')) {
      rows.return(undefined)
      refuseZeros(databases, table)
    }
    yield piece
  }
}

/** Writes rows into a table of a file that no other process uses. */
export async function loadInto(databases: Databases, { name, part, columns }: Table, lines: Lines) {
  const database = databases[part]
  // Migrations insert some rows.
  database.exec(`DELETE FROM "${name}"`)
  const insert = database.prepare(
    `INSERT INTO "${name}" (${listed(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  for await (const piece of lines) {
    for (const line of eachLine(piece)) insert.run(...valuesOf(line, columns))
  }
}
