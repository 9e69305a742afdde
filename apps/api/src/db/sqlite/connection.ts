import type { Database as SqliteConnection } from 'better-sqlite3'
import { createSql, type Sql, type Statement } from '../sql.ts'
import { loadSqlite } from './driver.ts'
import { sqliteErrors } from './errors.ts'

export type { Database as SqliteConnection } from 'better-sqlite3'

export interface ConnectionOptions {
  /** How long a statement waits for a lock. The driver is synchronous: the whole thread waits with it. */
  timeoutMs?: number
  readonly?: boolean
}

/** Opens an SQLite file that exists. It makes no checkpoint before the last connection is closed: a service makes and records them. */
export function openConnection(file: string, { timeoutMs = 5000, readonly = false }: ConnectionOptions = {}) {
  return sqliteErrors(() => {
    const connection = new (loadSqlite())(file, { fileMustExist: true, timeout: timeoutMs, readonly })
    // Zeroes what is removed.
    connection.pragma('secure_delete = ON')
    connection.pragma('wal_autocheckpoint = 0')
    return connection
  })
}

export function withSqlite<T>(
  file: string,
  act: (connection: SqliteConnection) => T,
  options?: ConnectionOptions,
): T {
  const connection = openConnection(file, options)
  try {
    return sqliteErrors(() => act(connection))
  } finally {
    connection.close()
  }
}

/** A file holds timestamps in milliseconds since 1970: those of Prisma's adapter, and those of raw SQL. */
export const adapterOptions = { timestampFormat: 'unixepoch-ms' } as const

const toSqlite = (value: unknown) => (value instanceof Date ? value.getTime() : value)

/** Runs a statement, whose first parameter is `$1`: SQLite takes that for a name. */
export function runSql<Row>(
  connection: Pick<SqliteConnection, 'prepare'>,
  ...[sql, ...parameters]: Statement
): Row[] {
  const statement = connection.prepare<[object], Row>(sql)
  const named = Object.fromEntries(parameters.map((parameter, index) => [index + 1, toSqlite(parameter)]))
  if (statement.reader) return statement.all(named)
  statement.run(named)
  return []
}

/** Statements of a connection that nothing else uses meanwhile. */
export const sqlIn = (connection: SqliteConnection): Sql =>
  createSql(async (...statement) => sqliteErrors(() => runSql(connection, ...statement)))
