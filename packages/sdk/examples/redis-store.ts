import type { GateStore } from '@saleproof/sdk/gate'

/** What the store needs of a client of Redis; that of `ioredis` fits as it is. */
interface Redis {
  get(key: string): Promise<string | null>
  set(key: string, value: string, unit: 'PX', durationMs: number): Promise<unknown>
}

/** One memory for all processes. Redis drops what has passed its time. */
export const createRedisStore = (redis: Redis, prefix = 'saleproof:'): GateStore => ({
  async get(key) {
    const text = await redis.get(prefix + key)
    return text === null ? undefined : JSON.parse(text)
  },
  set: (key, entry, keepMs) => redis.set(prefix + key, JSON.stringify(entry), 'PX', keepMs),
})
