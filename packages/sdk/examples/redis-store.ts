import type { Client } from '@saleproof/sdk'
import { createGate, createRedisStore } from '@saleproof/sdk/gate'

/** What this example needs of a client of Redis; that of `ioredis` fits. With `node-redis`: `(args) => redis.sendCommand(args)`. */
interface Redis {
  call(command: string, ...args: string[]): Promise<unknown>
}

/** A gate whose results all processes share. `pepper`: a secret of at least 32 characters, the same for all. */
export const createGateWithRedis = (client: Client, redis: Redis, pepper: string) =>
  createGate({
    client,
    onUnknown: { allowCachedMs: 72 * 3_600_000 },
    store: createRedisStore((args) => redis.call(...args), { pepper }),
  })
