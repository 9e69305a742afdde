import type { CappedCount } from '@saleproof/schema/console'
import type { QueryParameter, Read } from '../db/database.ts'

/** Counting stops here: no one pages through more rows. */
const limit = 10_000

/** Counts rows, up to a limit. */
export async function cappedCount(
  read: Read,
  from: string,
  ...parameters: QueryParameter[]
): Promise<CappedCount> {
  const [row] = await read<{ rows: number }>(
    `SELECT count(*) AS "rows" FROM (SELECT 1 ${from} LIMIT ${limit + 1}) counted`,
    ...parameters,
  )
  const count = Number(row?.rows)
  return { count: Math.min(count, limit), more: count > limit }
}
