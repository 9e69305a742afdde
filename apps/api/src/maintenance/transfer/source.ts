import { existsSync } from 'node:fs'
import { usageFilePath } from '../../db/location.ts'
import { requireNoneOf } from '../../db/migration-history.ts'
import { type CopyValue, copyLine } from '../../db/postgres/copy-text.ts'
import { pragmaRows, type SqliteConnection } from '../../db/sqlite/connection.ts'
import { openExclusively } from '../../db/sqlite/lock.ts'
import { createMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { UserError } from '../../user-error.ts'
import { type Column, type Table, tables } from './tables.ts'

export function requireMigratedFile(options: MigratorOptions) {
  const { databaseFile: file } = options
  if (!existsSync(file)) throw new UserError(`there is no database ${file}`)
  const { applied, pending } = createMigrator(options).status()
  if (applied.length === 0) throw new UserError(`${file} holds no deployment`)
  const advice = `run "saleproof migrate" with DATABASE_URL=file:${file} first`
  requireNoneOf(pending, { subject: `the database ${file}`, advice })
}

/** Opens the files of a deployment that no other process has open. One without a usage file was never used. */
export function openFiles(databaseFile: string): SqliteConnection {
  const connection = openExclusively(databaseFile)
  connection.pragma('synchronous = FULL')
  const usage = usageFilePath(databaseFile)
  if (existsSync(usage)) connection.prepare('ATTACH ? AS usage').run(usage)
  return connection
}

const pieceLength = 1 << 18

/** A column as PostgreSQL reads it, which refuses the text that stands for what is no timestamp of ours. */
const written = ({ name, type }: Column) =>
  type === 'DATETIME'
    ? `CASE WHEN typeof("${name}") IN ('integer', 'null') THEN strftime('%Y-%m-%dT%H:%M:%f+00:00', "${name}" / 1000.0, 'unixepoch') ELSE 'none' END`
    : `"${name}"`

/** The tables of a deployment, as they are in its files. */
export const tablesOf = (files: SqliteConnection): Table[] =>
  tables
    .map((name) => ({ name, columns: pragmaRows<Column>(files, `table_info("${name}")`) }))
    .filter(({ columns }) => columns.length > 0)

/** The rows of a table as PostgreSQL's COPY reads them, in pieces of whole lines. */
export function* linesIn(files: SqliteConnection, { name, columns }: Table): Generator<Buffer> {
  const rows = files
    .prepare<[], CopyValue[]>(`SELECT ${columns.map(written).join(', ')} FROM "${name}"`)
    .raw()
    .iterate()
  let piece = ''
  for (const row of rows) {
    piece += copyLine(row)
    if (piece.length < pieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece) yield Buffer.from(piece)
}
