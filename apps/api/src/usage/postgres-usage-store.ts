import type { Pool } from 'pg'
import { sqlOn } from '../db/postgres/row-types.ts'
import { transactOn } from '../db/sql.ts'
import { createUsageStore, runUsageCall } from './usage-store.ts'

/** A power loss costs a second of counts. No request waits for a lock here, so other instances may hold it for longer than a read waits. */
const begin = 'BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = 2000'

/** Usage in tables of its own. Any number of instances write to them. */
export const createPostgresUsageStore = (pool: Pool) =>
  createUsageStore(async (call) => {
    const client = await pool.connect()
    let failed = true
    try {
      const result = await transactOn(sqlOn(client), (sql) => runUsageCall(sql, call), begin)
      failed = false
      return result
    } finally {
      // Closes a connection after an error.
      client.release(failed)
    }
  })
