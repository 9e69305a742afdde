import { existsSync, statSync } from 'node:fs'
import { type SqliteConnection, withSqlite } from '../../db/sqlite/connection.ts'

export const openForReading = <T>(file: string, act: (connection: SqliteConnection) => T): T =>
  withSqlite(file, act, { readonly: true })

/** The size of a database in bytes, with the commits that only its log holds. */
export const sizeOf = (file: string) =>
  [file, `${file}-wal`].reduce((sum, each) => sum + (existsSync(each) ? statSync(each).size : 0), 0)
