import type { DatabaseSizes } from '../database.ts'
import type { Queryable } from './queryable.ts'

/** The size of the database; what is left of its disk only the server knows. */
export async function databaseSizes(database: Queryable): Promise<DatabaseSizes> {
  try {
    const { rows } = await database.query('SELECT pg_database_size(current_database()) AS size')
    return { parts: { main: Number(rows[0].size) }, free: undefined }
  } catch {
    return { parts: {}, free: undefined }
  }
}
