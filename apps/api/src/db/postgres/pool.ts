import pg from 'pg'
import type { Address, Endpoint } from './address.ts'
import { type Callback, type Check, Connection, type ConnectionOptions, clientConfig } from './connection.ts'
import { fromPostgres } from './errors.ts'
import { createFailover } from './host-failover.ts'

/** Connections of one process for the four operations, beside those of its pool: for lists, and for the others. */
export const fastPathConnections = 2

/** A pool of as many connections as the address allows; each is checked before it is used. */
export function createPool(address: Address, limits: ConnectionOptions, check: Check): pg.Pool {
  // A transaction does not wait for each of its statements.
  const { onConnect, ...config } = clientConfig(address, { ...limits, pipeline: true })
  const failover = createFailover(address.endpoints)
  const endpoints = new WeakMap<pg.ClientBase, Endpoint>()

  function leave(client: pg.ClientBase, error: unknown) {
    const endpoint = endpoints.get(client)
    if (endpoint) failover.leave(endpoint, error)
  }

  class PoolConnection extends Connection {
    constructor(given?: pg.ClientConfig) {
      const endpoint = failover.current()
      super({ ...given, endpoint, timeoutMs: limits.timeoutMs })
      endpoints.set(this, endpoint)
    }

    // biome-ignore lint/suspicious/noExplicitAny: as in Connection
    override connect(callback?: Callback): any {
      if (!callback) return super.connect()
      return super.connect((error, ...results) => {
        if (error) leave(this, error)
        callback(error, ...results)
      })
    }
  }

  /** Connects to the first endpoint that serves, while there is another one to try. */
  class FailoverPool extends pg.Pool {
    // biome-ignore lint/suspicious/noExplicitAny: as in Connection
    override connect(callback?: Callback): any {
      if (!callback)
        return new Promise((resolve, reject) =>
          this.connect((error, client) => (error ? reject(error) : resolve(client))),
        )
      const attempt = (left: number) => {
        const endpoint = failover.current()
        super.connect((error, ...results) => {
          if (error && left > 1 && failover.current() !== endpoint) attempt(left - 1)
          else callback(error && fromPostgres(error), ...results)
        })
      }
      attempt(address.endpoints.length)
    }
  }

  const pool = new FailoverPool({
    ...config,
    async onConnect(client) {
      try {
        await onConnect?.(client)
        await check(client)
      } catch (error) {
        leave(client, error)
        throw error
      }
    },
    max: address.poolSize,
    Client: PoolConnection,
  })
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => {})
  return pool
}
