import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { readErrorCode } from '../../db/errors.ts'
import { postgresMigrationsFolder } from '../../db/location.ts'
import { requireNoneOf } from '../../db/migration-history.ts'
import { type Address, readAddress } from '../../db/postgres/address.ts'
import { withConnection } from '../../db/postgres/connection.ts'
import { createPostgresMigrator } from '../../db/postgres/migrate.ts'
import { sqlOn } from '../../db/postgres/row-types.ts'
import { withExclusiveLock, withoutTimeouts } from '../../db/postgres/transactions.ts'
import { type Sql, transactOn } from '../../db/sql.ts'
import { type SqliteFile, withFile } from '../../db/sqlite/file.ts'
import { lockExclusive } from '../../db/sqlite/lock.ts'
import type { MigratorOptions } from '../../db/sqlite/migrate.ts'
import { markTransferred, requireInUse } from '../../db/sqlite/transferred.ts'
import { appendAudit } from '../../domain/audit-log.ts'
import { UserError } from '../../user-error.ts'
import { loadSecret } from '../secret/load-secret.ts'
import { attachUsage, linesIn, listTables, requireMigratedFile } from './source.ts'
import type { Table } from './tables.ts'

/** `migrations` are those for a file. */
export interface TransferOptions extends MigratorOptions {
  databaseUrl: string
  /** `SALEPROOF_SECRET`, where it is set. */
  secret: string | undefined
}

export interface Moved {
  table: string
  rows: number
}

const lockTimeoutMs = 5000

/** Migrates an empty database; any other must be migrated already. */
async function migrateTarget(address: Address, { migrations, clock }: TransferOptions) {
  const migrator = createPostgresMigrator({ address, folder: postgresMigrationsFolder(migrations), clock })
  const { applied, pending } = await migrator.status()
  if (applied.length === 0) await migrator.apply()
  else requireNoneOf(pending, { advice: 'give an empty one, or run "saleproof migrate" first' })
}

async function requireEmpty(client: Client, tables: readonly Table[]) {
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT 1 FROM "${name}") AS held`)
    if (rows[0].held)
      throw new UserError('the database holds a deployment already: give an empty one; nothing was changed')
  }
}

/** What the file numbers goes on there: no number is used again, not even that of a row that is gone. */
async function setSequences(client: Client, files: Sql) {
  const last = 'SELECT seq FROM sqlite_sequence WHERE name = $1'
  for (const [table, column] of [
    ['Workspace', 'id'],
    ['AuditEntry', 'number'],
  ] as const) {
    const sequence = `pg_get_serial_sequence('"${table}"', '${column}')`
    const [row] = await files.query<{ seq: number }>(last, table)
    await client.query(`SELECT setval(${sequence}, $1)`, [row?.seq ?? 1])
  }
}

async function moveTable(client: Client, files: SqliteFile, table: Table): Promise<Moved> {
  const { name, columns } = table
  // Migrations insert some rows.
  await client.query(`DELETE FROM "${name}"`)
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const copy = client.query(copyFrom(`COPY "${name}" (${names}) FROM STDIN`))
  try {
    await pipeline(Readable.from(linesIn(files, table)), copy)
  } catch (error) {
    const code = readErrorCode(error)
    if (!/^2[23]/.test(code)) throw error
    // PostgreSQL's own message repeats the row.
    throw new UserError(
      `a row of "${name}" is none that PostgreSQL takes (${code}): correct it and transfer again; nothing was transferred`,
    )
  }
  return { table: name, rows: copy.rowCount }
}

async function fill(client: Client, files: SqliteFile, at: Date): Promise<Moved[]> {
  const tables = await listTables(files)
  const each = async (statement: (name: string) => string) => {
    for (const { name } of tables) await client.query(statement(`"${name}"`))
  }
  await requireEmpty(client, tables)
  // Triggers would change rows.
  await each((name) => `ALTER TABLE ${name} DISABLE TRIGGER USER`)
  // Before the transfer is committed, as a backup is recorded before it is made.
  await appendAudit(files, { at, action: 'transfer', actor: 'cli', subject: 'postgresql' })
  const moved: Moved[] = []
  for (const table of tables) moved.push(await moveTable(client, files, table))
  await setSequences(client, files)
  await each((name) => `ALTER TABLE ${name} ENABLE TRIGGER USER`)
  await each((name) => `ANALYZE ${name}`)
  return moved
}

async function transferHeld(files: SqliteFile, options: TransferOptions): Promise<readonly Moved[]> {
  const { databaseFile, databaseUrl, clock } = options
  await files.run('PRAGMA synchronous = FULL')
  await attachUsage(files, databaseFile)
  const address = readAddress(databaseUrl)
  await requireInUse(files)
  await migrateTarget(address, options)
  const move = (client: Client) =>
    transactOn(files, async () => {
      await withExclusiveLock(client)
      return fill(client, files, clock())
    })
  const transferred = await withConnection(address, { lockTimeoutMs }, (client) =>
    transactOn(sqlOn(client), () => move(client), `BEGIN; ${withoutTimeouts}`),
  )
  // Not earlier: a transfer that fails leaves the file in use.
  await markTransferred(files)
  return transferred
}

/** Moves a deployment from its files, which no other process may use meanwhile, to an empty PostgreSQL database: all of it or nothing. */
export async function transferToPostgres(options: TransferOptions): Promise<readonly Moved[]> {
  const { databaseFile, secret: given, clock } = options
  await requireMigratedFile(options)
  const taken = lockExclusive(databaseFile)
  try {
    // A deployment moves with its secret, or not at all.
    await loadSecret({ databaseFile, given, clock })
    return await withFile(databaseFile, (files) => transferHeld(files, options), { exclusive: true })
  } finally {
    taken.release()
  }
}
