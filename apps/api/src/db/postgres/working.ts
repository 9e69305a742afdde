import { DatabaseError } from '../errors.ts'
import type { Address } from './address.ts'
import { type Connection, type IsWorking, withConnection } from './connection.ts'

/** After so long without a sign of life a server is asked over another connection, which it has this long to answer. */
const silentMs = 2000

/** Imports wait for statements that take long; PgBouncer tells no connection which process of the server it has. */
const working = (address: Address) =>
  address.pgbouncer
    ? 'SELECT 1 WHERE $1::int IS NOT NULL'
    : `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'`

async function isWorking(address: Address, connection: Connection): Promise<boolean> {
  const limits = { lockTimeoutMs: silentMs, timeoutMs: silentMs, check: async () => {} }
  try {
    return await withConnection(address, limits, async (client) => {
      const { rows } = await client.query(working(address), [connection.processID])
      return rows.length > 0
    })
  } catch (error) {
    // It answers.
    return error instanceof DatabaseError && error.kind === 'too_many_connections'
  }
}

/** Lets statements take as long as they take, and closes the connection when the server hangs. */
export const whileWorking = (address: Address): { timeoutMs: number; isWorking: IsWorking } => ({
  timeoutMs: silentMs,
  isWorking: (connection) => isWorking(address, connection),
})
