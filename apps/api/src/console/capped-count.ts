import type { CappedCount } from '@saleproof/schema/console'
import type { QueryParameter, Read } from '../db/sqlite/reader.ts'

/** Counting stops here: whoever looks for something narrows it down long before. */
const mostCounted = 10_000

/** How many rows there are, or that there are more than anybody would look through. */
export async function cappedCount(
  read: Read,
  from: string,
  ...parameters: QueryParameter[]
): Promise<CappedCount> {
  const [row] = await read<{ rows: number }>(
    `SELECT count(*) AS "rows" FROM (SELECT 1 ${from} LIMIT ${mostCounted + 1}) counted`,
    ...parameters,
  )
  const found = Number(row?.rows)
  return { count: Math.min(found, mostCounted), more: found > mostCounted }
}
