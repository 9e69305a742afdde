import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { UserError } from '../../user-error.ts'
import { isBusy } from '../errors.ts'

/** Transactions that are short end within it. */
const waitMs = 5000
const retryMs = 250

/** How many removed rows an older transaction can still see: the server keeps those. In any language the first number of the detail. */
async function keptRows(pool: Pool, table: string): Promise<number> {
  const client = await pool.connect()
  let kept = 0
  const take = ({ detail }: { detail?: string | undefined }) => {
    kept += Number(/\d+/.exec(detail ?? '')?.[0] ?? 0)
  }
  client.on('notice', take)
  try {
    await client.query(`VACUUM (FULL, VERBOSE) "${table}"`)
    return kept
  } finally {
    client.off('notice', take)
    client.release()
  }
}

async function isRewritten(pool: Pool, table: string): Promise<boolean> {
  try {
    return (await keptRows(pool, table)) === 0
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/** Rewrites the file of a table, which keeps the old rows until then. */
export async function rewriteTable(pool: Pool, table: string): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!(await isRewritten(pool, table))) {
    if (performance.now() >= deadline)
      throw new UserError(
        `it is removed from the database, but an older transaction keeps it in the files of the server: when that has ended (pg_stat_activity shows it), run VACUUM FULL "${table}"`,
      )
    await delay(retryMs)
  }
}
