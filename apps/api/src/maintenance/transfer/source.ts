import { existsSync } from 'node:fs'
import { usageFilePath } from '../../db/location.ts'
import { requireNoneOf } from '../../db/migration-history.ts'
import { type CopyValue, copyLine } from '../../db/postgres/copy-text.ts'
import type { Sql } from '../../db/sql.ts'
import type { SqliteFile } from '../../db/sqlite/file.ts'
import { createSqliteMigrator, type MigratorOptions } from '../../db/sqlite/migrate.ts'
import { UserError } from '../../user-error.ts'
import { type Column, type Table, tables } from './tables.ts'

export async function requireMigratedFile(options: MigratorOptions) {
  const { databaseFile: file } = options
  if (!existsSync(file)) throw new UserError(`there is no database ${file}`)
  const { applied, pending } = await createSqliteMigrator(options).status()
  if (applied.length === 0) throw new UserError(`${file} holds no deployment`)
  const advice = `run "saleproof migrate" with DATABASE_URL=file:${file} first`
  requireNoneOf(pending, { subject: `the database ${file}`, advice })
}

/** Opens the usage file beside the database. A deployment without one was never used. */
export async function attachUsage({ run }: Sql, databaseFile: string) {
  const usage = usageFilePath(databaseFile)
  if (existsSync(usage)) await run('ATTACH $1 AS usage', usage)
}

const pieceLength = 1 << 18

/** A column as PostgreSQL reads it, which refuses the text that stands for what is no timestamp of ours. */
const written = ({ name, type }: Column) =>
  type === 'DATETIME'
    ? `CASE WHEN typeof("${name}") IN ('integer', 'null') THEN strftime('%Y-%m-%dT%H:%M:%f+00:00', "${name}" / 1000.0, 'unixepoch') ELSE 'none' END`
    : `"${name}"`

/** The tables of a deployment, as they are in its files. */
export async function listTables({ query }: Sql): Promise<Table[]> {
  const all = tables.map(async (name) => ({
    name,
    columns: await query<Column>(`PRAGMA table_info("${name}")`),
  }))
  return (await Promise.all(all)).filter(({ columns }) => columns.length > 0)
}

/** The rows of a table as PostgreSQL's COPY reads them, in pieces of whole lines. */
export function* linesIn({ stream }: SqliteFile, { name, columns }: Table): Generator<Buffer> {
  let piece = ''
  for (const row of stream(`SELECT ${columns.map(written).join(', ')} FROM "${name}"`)) {
    // SQLite has no other values.
    piece += copyLine(row as CopyValue[])
    if (piece.length < pieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece) yield Buffer.from(piece)
}
