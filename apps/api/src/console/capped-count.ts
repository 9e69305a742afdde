import type { CappedCount } from '@saleproof/schema/console'
import type { Read } from '../db/database.ts'
import { raw, type Sql, select, sql } from './sql.ts'

/** Counting stops here: no one pages through more rows. */
const limit = 10_000

/** Counts the rows of a query, up to a limit. */
export async function cappedCount(read: Read, query: Sql): Promise<CappedCount> {
  const counted = sql`SELECT count(*) AS "rows" FROM (${query} LIMIT ${raw(limit + 1)}) counted`
  const [row] = await select<{ rows: number }>(read, counted)
  const count = Number(row?.rows)
  return { count: Math.min(count, limit), more: count > limit }
}
