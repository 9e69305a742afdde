import { once } from 'node:events'
import type { Logger } from 'pino'
import { connectRedis, connectWithinMs } from '../redis.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Taken } from './budget.ts'
import { createFailOpen } from './fail-open.ts'
import type { LimitsOptions } from './limits.ts'

export interface RedisOptions {
  url: string
  logger: Logger
  now: () => number
  /** A request waits no longer than this, and that only once in an outage. */
  timeoutMs?: number | undefined
}

const defaultTimeoutMs = 100
const retryMs = 500

/** Takes what there is, and returns the number that would be taken otherwise; never gives back more than was taken. */
const takeOrGiveBack = `
local taken = tonumber(redis.call('get', KEYS[1]) or '0')
local after = math.max(taken + tonumber(ARGV[1]), 0)
if after < taken or (after > taken and after <= tonumber(ARGV[3])) then
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  redis.call('incrby', KEYS[1], after - taken)
end
return { after, redis.call('pttl', KEYS[1]) }
`

/**
 * Budgets that all instances with one Redis share. While it does not respond nothing is limited, which is logged once; no request waits
 * to find out that it responds again.
 */
export async function connectBudgets({ url, logger, now, timeoutMs = defaultTimeoutMs }: RedisOptions) {
  const { client, cause } = connectRedis(url)
  const attempt = createFailOpen({
    retryMs,
    onOutage: (error) =>
      logger.warn({ cause: cause(error) }, 'Redis does not answer: nothing is limited until it does'),
    onRecovery: () => logger.info('Redis answers again: limits hold'),
  })
  await once(client, 'ready', { signal: AbortSignal.timeout(connectWithinMs) }).catch(() => {})
  await attempt(() => withTimeout(client.ping(), timeoutMs))

  const budget: LimitsOptions['budget'] = (kind, { count, seconds }) => {
    // A changed limit starts again.
    const change = (name: string, by: number) =>
      client.eval(takeOrGiveBack, 1, `saleproof:${kind}:${count}/${seconds}:${name}`, by, seconds, count)

    async function take(name: string): Promise<Taken> {
      const [taken, msLeft] = (await change(name, 1)) as [number, number]
      // The response may be that of a proxy of Redis.
      if (!Number.isSafeInteger(taken + msLeft)) throw new Error('no numbers')
      return {
        allowed: taken <= count,
        remaining: Math.max(0, count - taken),
        resetAt: now() + Math.max(0, msLeft),
      }
    }
    return {
      take: (name) => attempt(() => withTimeout(take(name), timeoutMs)),
      giveBack(name) {
        change(name, -1).catch(() => {})
      },
    }
  }
  return { budget, close: () => client.disconnect() }
}
