import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { withTimeout } from '../with-timeout.ts'
import type { Taken } from './budget.ts'
import { createFailOpen } from './fail-open.ts'
import type { LimitsOptions } from './limits.ts'

interface RedisOptions {
  url: string
  logger: Logger
  now: () => number
  /** A request waits no longer than this, and that only once in an outage. */
  timeoutMs?: number | undefined
}

const defaultTimeoutMs = 100
const retryMs = 500
const connectWithinMs = 1000
/** A connection on which commands have no response for this long is closed. */
const socketTimeoutMs = 5000
const slowestReconnectMs = 1000

/**
 * In place of the library's script, which also counts what it refuses: what is given back would then make up for a refusal. Takes what
 * there is, and returns the number that would be taken otherwise; never gives back more than was taken.
 */
const takeOrGiveBack = `
local taken = tonumber(redis.call('get', KEYS[1]) or '0')
local after = math.max(taken + tonumber(ARGV[1]), 0)
if after < taken or (after > taken and after <= tonumber(ARGV[3])) then
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  redis.call('incrby', KEYS[1], after - taken)
end
return { after, redis.call('pttl', KEYS[1]) }
`

/** The reason of an error without a word of what was sent: a code of the system, or the one that Redis begins its errors with. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error) || error.name === 'AbortError') return 'no answer'
  if ('code' in error && typeof error.code === 'string') return error.code
  return /^[A-Z]{3,32}\b/.exec(error.message)?.[0] ?? 'no answer'
}

function connect(url: string) {
  const client = new Redis(url, {
    // What cannot be sent at once is of no use later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: connectWithinMs,
    socketTimeout: socketTimeoutMs,
    retryStrategy: (times) => Math.min(times * 100, slowestReconnectMs),
    protocol: 2,
    disableClientInfo: true,
  })
  let lastError: unknown
  // Without a listener the library prints the error.
  client.on('error', (error) => {
    lastError = error
  })
  client.on('ready', () => {
    lastError = undefined
  })
  return { client, cause: (error: unknown) => describeCause(lastError ?? error) }
}

/** Undefined where Redis answers, else why it does not, as a code of the system or of Redis. */
export async function askRedis(url: string): Promise<string | undefined> {
  const { client, cause } = connect(url)
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(connectWithinMs) })
    await withTimeout(client.ping(), connectWithinMs)
    return undefined
  } catch (error) {
    return cause(error)
  } finally {
    client.disconnect()
  }
}

type Limiter = Pick<RateLimiterRedis, 'consume' | 'reward'>

/** Takes one from a budget: the library throws where nothing is left, and whenever it does not know. */
async function takenFrom(limiter: Limiter, name: string, now: () => number): Promise<Taken> {
  const toResult = (allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes) => {
    // The library makes numbers of any response, perhaps of a proxy of Redis.
    if (!Number.isSafeInteger(remainingPoints + msBeforeNext)) throw new Error('no numbers')
    return { allowed, remaining: remainingPoints, resetAt: now() + Math.max(0, msBeforeNext) }
  }
  try {
    return toResult(true, await limiter.consume(name))
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return toResult(false, thrown)
    throw thrown
  }
}

/**
 * Budgets that all instances with one Redis share. While it does not respond nothing is limited, which is logged once; no request waits
 * to find out that it responds again.
 */
export async function connectBudgets({ url, logger, now, timeoutMs = defaultTimeoutMs }: RedisOptions) {
  const { client, cause } = connect(url)
  const attempt = createFailOpen({
    retryMs,
    onOutage: (error) =>
      logger.warn({ cause: cause(error) }, 'Redis does not answer: nothing is limited until it does'),
    onRecovery: () => logger.info('Redis answers again: limits hold'),
  })
  await once(client, 'ready', { signal: AbortSignal.timeout(connectWithinMs) }).catch(() => {})
  await attempt(() => withTimeout(client.ping(), timeoutMs))

  const budget: LimitsOptions['budget'] = (kind, { count, seconds }) => {
    const limiter = new RateLimiterRedis({
      storeClient: client,
      // A changed limit starts again.
      keyPrefix: `saleproof:${kind}:${count}/${seconds}`,
      points: count,
      duration: seconds,
      rejectIfRedisNotReady: true,
      customIncrTtlLuaScript: takeOrGiveBack,
    })
    return {
      take: (name) => attempt(() => withTimeout(takenFrom(limiter, name, now), timeoutMs)),
      giveBack(name) {
        limiter.reward(name).catch(() => {})
      },
    }
  }
  return { budget, close: () => client.disconnect() }
}
