import type { ErrorCode } from '@saleproof/schema'
import type { Limit } from '../config.ts'
import type { Count, WindowCounter } from './window-counter.ts'

/** What a limit says to one request. */
export interface Verdict {
  allowed: boolean
  /** The value of `RateLimit` (IETF draft): what is left, and for how many seconds. */
  header: string
  /** Whole seconds until the window ends. */
  retryAfter: number
}

interface LimitsOptions {
  rateLimit: Limit
  failureLimit: Limit
  /** Makes the counter of a limit: of this process, or shared by all of them. */
  counter: (name: string, seconds: number) => WindowCounter
  now: () => number
}

/** Failures that someone who guesses makes. */
const guesses: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'item_not_found', 'purchase_not_found'])

const policyOf = (name: string, limit: NonNullable<Limit>) => `"${name}";q=${limit.count};w=${limit.seconds}`

function verdictOf(
  name: string,
  limit: NonNullable<Limit>,
  { count, resetAt }: Count,
  time: number,
): Verdict {
  const retryAfter = Math.max(1, Math.ceil((resetAt - time) / 1000))
  const remaining = Math.max(0, limit.count - count)
  return { allowed: count <= limit.count, header: `"${name}";r=${remaining};t=${retryAfter}`, retryAfter }
}

/**
 * The two limits of the contract. Requests are counted for each key and address together, because one key may serve thousands of
 * buyers' servers. Failures are counted apart, and only turn answers that would fail anyway into 429: an honest caller behind the same
 * address never notices.
 */
export function createLimits({ rateLimit, failureLimit, counter, now }: LimitsOptions) {
  const requests = rateLimit && counter('requests', rateLimit.seconds)
  const failures = failureLimit && counter('failures', failureLimit.seconds)
  return {
    /** The value of `RateLimit-Policy`; undefined where nothing is limited. */
    policy: rateLimit && policyOf('requests', rateLimit),

    /** Counts a request of a key that is known; undefined where requests are not limited. */
    request(keyId: string, address: string): Verdict | undefined {
      if (!rateLimit || !requests) return undefined
      return verdictOf('requests', rateLimit, requests.take(`${keyId} ${address}`), now())
    },

    /** Counts a failure; undefined where it is not one that is limited. */
    failure(code: ErrorCode, keyId: string | undefined, address: string): Verdict | undefined {
      if (!failureLimit || !failures || !guesses.has(code)) return undefined
      const name = code === 'invalid_api_key' ? address : `${keyId} ${address}`
      return verdictOf('failures', failureLimit, failures.take(name), now())
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
