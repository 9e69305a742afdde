import { check, isAnything, isFunction, readOptions } from '../options.ts'
import type { GateStore } from './gate-store.ts'
import { type RawStore, type SealOptions, sealStore } from './seal.ts'

// Redis runs a script as one operation. No entry is an empty text there.
const replaceScript = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/** Sends one command to Redis, the name of the command first, and gives the reply. */
export type RedisCommand = (args: [string, ...string[]]) => Promise<unknown>

/** The options of {@link createRedisStore}. */
export interface RedisStoreOptions extends SealOptions {
  /** What all keys start with. `saleproof:` by default. */
  readonly prefix?: string | undefined
}

/**
 * Keeps the results of a gate in Redis or Valkey, for all processes with the same `pepper`, by GET, SET with PX, DEL and
 * EVAL. Sealed as by {@link sealStore}.
 *
 * @example
 * // ioredis: (args) => redis.call(...args). node-redis: (args) => redis.sendCommand(args).
 * const store = createRedisStore((args) => redis.sendCommand(args), { pepper: process.env.SALEPROOF_PEPPER })
 */
export function createRedisStore(command: RedisCommand, options: RedisStoreOptions): GateStore {
  check('command', command, isFunction)
  const { prefix = 'saleproof:', pepper } = readOptions(options, { prefix: isAnything, pepper: isAnything })
  const raw: RawStore = {
    async get(key) {
      const reply = await command(['GET', prefix + key])
      return reply === null || reply === undefined ? undefined : String(reply)
    },
    set: (key, value, keepMs) => command(['SET', prefix + key, value, 'PX', String(keepMs)]),
    async replace(key, previous = '', value, keepMs) {
      const reply = await command(['EVAL', replaceScript, '1', prefix + key, previous, value, String(keepMs)])
      return Number(reply) === 1
    },
    delete: (key) => command(['DEL', prefix + key]),
  }
  return sealStore(raw, { pepper })
}
