import type { Sql } from '../sql.ts'
import { type ConnectionOptions, openConnection, sqlIn } from './connection.ts'
import { sqliteErrors } from './errors.ts'
import { openExclusively } from './lock.ts'

export interface SqliteFile extends Sql {
  /** The values of each row of a query, one row after another. */
  stream: (sql: string) => IterableIterator<unknown[]>
  /** Runs several statements. */
  script: (sql: string) => Promise<void>
}

/**
 * Runs statements on a file without the port, which is there only for the database of a deployment that is migrated and not to be replaced:
 * on a copy, on one that may be damaged or of another schema, and on one that a command has to itself (`exclusive`).
 */
export async function withFile<T>(
  file: string,
  act: (sql: SqliteFile) => Promise<T>,
  { exclusive, ...options }: ConnectionOptions & { exclusive?: boolean } = {},
): Promise<T> {
  const connection = exclusive ? openExclusively(file) : openConnection(file, options)
  try {
    return await act({
      ...sqlIn(connection),
      stream: (sql) => connection.prepare<[], unknown[]>(sql).raw().iterate(),
      script: async (sql) => void sqliteErrors(() => connection.exec(sql)),
    })
  } finally {
    connection.close()
  }
}
