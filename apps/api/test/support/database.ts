import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { inject } from 'vitest'
import { writeLock } from '../../src/db/postgres/transactions.ts'
import type { OpenDatabase } from '../../src/open-database.ts'
import { temporaryDatabase } from './postgres-databases.ts'

// The whole-app tests run on either database. Each folder has one: a file in it, or one of its own on the server of the run.

/** Programs that use the harness outside of the test runner have no server of a run. */
function serverOfRun(): string | undefined {
  try {
    return inject('postgresUrl')
  } catch {
    return undefined
  }
}

const server = serverOfRun()

export const onPostgres = server !== undefined

/** No file can be made beside a database on a server. */
export const secret = onPostgres ? 'the secret of all databases for tests' : undefined

type Made = Awaited<ReturnType<typeof temporaryDatabase>>
const made = new Map<string, Promise<Made>>()

/** The address of the database of a folder, migrated or not there yet. */
export async function databaseUrlIn(folder: string): Promise<string> {
  if (server === undefined) return 'file:./test.db'
  const database = made.get(folder) ?? temporaryDatabase(server)
  made.set(folder, database)
  return (await database).url
}

/** What a command needs of its environment to use the database of its folder. */
export const environmentIn = async (folder: string): Promise<Record<string, string>> =>
  secret === undefined ? {} : { DATABASE_URL: await databaseUrlIn(folder), SALEPROOF_SECRET: secret }

export async function removeDatabaseIn(folder: string) {
  await (await made.get(folder))?.remove()
  made.delete(folder)
}

type Row = Record<string, string | number | null>

/** The database that commands and services of a folder use when nothing else is said. */
const fileIn = (folder: string) => join(folder, 'data/saleproof.db')

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** Asks the database of a folder from outside; `$1` is the first value. */
export async function rowsIn(folder: string, sql: string, ...values: string[]): Promise<Row[]> {
  if (onPostgres)
    return withClient(await databaseUrlIn(folder), async (client) => (await client.query(sql, values)).rows)
  const database = new Sqlite(fileIn(folder), { readonly: true })
  try {
    return database.prepare<string[], Row>(sql.replaceAll('$1', '?')).all(...values)
  } finally {
    database.close()
  }
}

/** Every row of the tables of a database on the server, as text: what is stored, without what its files hold beside. */
export async function textOf(folder: string, tables: readonly string[]): Promise<string> {
  const texts = tables.map((name) =>
    rowsIn(folder, `SELECT string_agg(t::text, chr(10)) AS "rows" FROM "${name}" t`),
  )
  return (await Promise.all(texts)).map(([all]) => all!.rows).join('\n')
}

export async function everythingIn(folder: string): Promise<string> {
  const tables = await rowsIn(folder, `SELECT "tablename" FROM pg_tables WHERE "schemaname" = 'public'`)
  return textOf(
    folder,
    tables.map(({ tablename }) => String(tablename)),
  )
}

export type Place = { folder: string } | { opened: Pick<OpenDatabase, 'place'> }

const placeOf = async (place: Place) =>
  'opened' in place
    ? place.opened.place
    : onPostgres
      ? { kind: 'postgresql' as const, url: await databaseUrlIn(place.folder) }
      : { kind: 'sqlite' as const, file: fileIn(place.folder) }

/** Changes the database from outside, as nothing of the service would. */
export async function changeIn(place: Place, sql: string) {
  const database = await placeOf(place)
  if (database.kind === 'postgresql')
    return void (await withClient(database.url, (client) => client.query(sql)))
  const file = new Sqlite(database.file)
  file.pragma('foreign_keys = OFF')
  file.exec(sql)
  file.close()
}

/** Begins to write, as another command would, and gives what ends it. */
export async function beginWriting(place: Place): Promise<() => Promise<void>> {
  const database = await placeOf(place)
  if (database.kind === 'sqlite') {
    const file = new Sqlite(database.file)
    file.exec('BEGIN IMMEDIATE')
    return async () => void file.close()
  }
  const client = new pg.Client(database.url)
  await client.connect()
  // What waits for it are whole processes, on a machine that may be slow.
  await client.query(`BEGIN; ${writeLock}; SET LOCAL idle_in_transaction_session_timeout = 0`)
  return () => client.end()
}

/** The file of a database in a test that is about files. */
export function fileOf({ place }: OpenDatabase): string {
  if (place.kind !== 'sqlite') throw new Error('this test is about SQLite files')
  return place.file
}
