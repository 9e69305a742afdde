import pg from 'pg'
import type { Address } from './address.ts'
import { type Callback, type Check, Connection, type ConnectionOptions, clientConfig } from './connection.ts'
import { fromPostgres } from './errors.ts'

/** Connections of one process for the four operations, beside those of its pool: for lists, and for the others. */
export const fastPathConnections = 2

/** A pool, whose own errors are `DatabaseError`s too. */
class ConnectionPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: as in Connection
  override connect(callback?: Callback): any {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (error ? reject(error) : resolve(client))),
      )
    super.connect((error, ...results) => callback(error && fromPostgres(error), ...results))
  }
}

/** A pool of as many connections as the address allows; each is checked before it is used. */
export function createPool(address: Address, limits: ConnectionOptions, check: Check): pg.Pool {
  // A transaction does not wait for each of its statements.
  const { onConnect, ...config } = clientConfig(address, { ...limits, pipeline: true })
  const pool = new ConnectionPool({
    ...config,
    async onConnect(client) {
      await onConnect?.(client)
      await check(client)
    },
    max: address.poolSize,
    Client: Connection,
  })
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => {})
  return pool
}
