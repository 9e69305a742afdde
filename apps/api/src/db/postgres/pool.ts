import pg from 'pg'
import type { Address, Endpoint } from './address.ts'
import {
  type Callback,
  type Check,
  Connection,
  type ConnectionOptions,
  clientConfig,
  named,
} from './connection.ts'
import { createTurns } from './host-failover.ts'

/** Connections for whoever asks, at most as many as the address says; each is checked before it is used. */
export function createPool(address: Address, limits: ConnectionOptions, check: Check): pg.Pool {
  const { onConnect, ...config } = clientConfig(address, limits)
  const turns = createTurns(address.ways)

  class PoolConnection extends Connection {
    readonly way: Endpoint

    constructor(given: pg.ClientConfig) {
      const way = turns.current()
      super({ ...given, way })
      this.way = way
    }

    // The driver's signatures are many.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    override connect(callback?: any): any {
      return super.connect((error: Error, ...results: unknown[]) => {
        if (error) turns.leave(this.way, error)
        ;(callback as Callback)(error, ...results)
      })
    }
  }

  /** A connection to the first server that takes it, as long as there is another one to try. */
  class AnyServerPool extends pg.Pool {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    override connect(callback?: any): any {
      if (!callback)
        return new Promise((resolve, reject) =>
          this.connect((error: unknown, client: pg.PoolClient) => (error ? reject(error) : resolve(client))),
        )
      const tryOn = (left: number) => {
        const way = turns.current()
        super.connect((error: unknown, ...results: unknown[]) => {
          if (error && left > 1 && turns.current() !== way) tryOn(left - 1)
          else (callback as Callback)(error && named(error), ...results)
        })
      }
      tryOn(address.ways.length)
    }
  }

  const pool = new AnyServerPool({
    ...config,
    async onConnect(client: PoolConnection) {
      try {
        await onConnect?.(client)
        await check(client)
      } catch (error) {
        turns.leave(client.way, error)
        throw error
      }
    },
    max: address.poolSize,
    Client: PoolConnection,
  } as unknown as pg.PoolConfig)
  // A connection that breaks while nobody uses it is no news: the pool makes another.
  pool.on('error', () => {})
  return pool
}
