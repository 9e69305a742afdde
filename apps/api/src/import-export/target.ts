import type { Sql } from '../db/sql.ts'
import type { ColumnValue } from '../records/columns.ts'
import type { RecordType } from '../records/tables.ts'
import type { ImportPlan } from './copy.ts'
import type { Dialect } from './dialect.ts'

/** A state of the database: another one means that it was written since. */
export type Version = string | number

/** The database that an import goes to. */
export interface ImportTarget {
  dialect: Dialect
  /** Writes a row to where it waits until all are checked. */
  stage: (type: RecordType, line: number, row: readonly ColumnValue[]) => void
  /** To be waited for now and then, where it gives a promise: what was staged is more than should be held. */
  flushIfNeeded?: () => Promise<void> | undefined
  /** The hash of the password of an account, if it is stored and has one. */
  storedHash: (username: string) => Promise<string | undefined>
  /** Ends staging, and checks in a snapshot of the database, without blocking writers. Without it the transaction that copies checks as well. */
  check?: <Result>(check: (sql: Sql) => Promise<Result>) => Promise<{ result: Result; version: Version }>
  /** Copies in one transaction, which holds the write lock. */
  copy: <Result extends { plan: ImportPlan }>(
    copy: (sql: Sql, version?: Version) => Promise<Result>,
  ) => Promise<Result>
}

/** `main` comes before the names of tables. */
export async function readHash({ query }: Sql, username: string, main = ''): Promise<string | undefined> {
  const select = `SELECT "passwordHash" FROM ${main}"Account" WHERE "username" = $1`
  const [row] = await query<{ passwordHash: string | null }>(select, username)
  return row?.passwordHash ?? undefined
}
