import type { ErrorCode } from '@saleproof/schema'
import type { Limit } from '../config.ts'
import type { Budget, Taken } from './budget.ts'

/** What a limit says to one request. */
export interface Verdict {
  allowed: boolean
  /** The value of `RateLimit` (IETF draft): what is left, and for how many seconds. */
  header: string
  /** Whole seconds until the window ends. */
  retryAfter: number
}

/** A verdict at once, or in a moment where another process has to be asked; undefined where nothing is limited. */
export type Judgement = Verdict | Promise<Verdict> | undefined

/** What is limited: requests of a key, and failures of someone who guesses. */
export type LimitKind = 'requests' | 'failures'

type ActiveLimit = NonNullable<Limit>

export interface LimitsOptions {
  rateLimit: Limit
  failureLimit: Limit
  /** Makes the budget of a limit: of this process, or shared by all of them. */
  budget: (kind: LimitKind, limit: ActiveLimit) => Budget
  now: () => number
}

/** Failures that someone who guesses makes. */
const guesses: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'item_not_found', 'purchase_not_found'])

function verdictOf(kind: string, { allowed, remaining, resetAt }: Taken, time: number): Verdict {
  const retryAfter = Math.max(1, Math.ceil((resetAt - time) / 1000))
  return { allowed, header: `"${kind}";r=${remaining};t=${retryAfter}`, retryAfter }
}

/**
 * The two limits of the contract. Requests are counted for each key and address together, because one key may serve thousands of
 * buyers' servers. Failures are counted apart, and only turn answers that would fail anyway into 429: an honest caller behind the same
 * address never notices.
 */
export function createLimits({ rateLimit, failureLimit, budget, now }: LimitsOptions) {
  const requests = rateLimit && budget('requests', rateLimit)
  const failures = failureLimit && budget('failures', failureLimit)

  function judge(kind: string, taken: Taken | Promise<Taken>): Verdict | Promise<Verdict> {
    if (taken instanceof Promise) return taken.then((result) => verdictOf(kind, result, now()))
    return verdictOf(kind, taken, now())
  }

  return {
    /** The value of `RateLimit-Policy`; undefined where nothing is limited. */
    policy: rateLimit && `"requests";q=${rateLimit.count};w=${rateLimit.seconds}`,

    /** Counts a request of a key that is known. */
    request(keyId: string, address: string): Judgement {
      return requests && judge('requests', requests.take(`${keyId} ${address}`))
    },

    /** Counts a failure, if it is one that is limited. */
    failure(code: ErrorCode, keyId: string | undefined, address: string): Judgement {
      if (!failures || !guesses.has(code)) return undefined
      return judge('failures', failures.take(code === 'invalid_api_key' ? address : `${keyId} ${address}`))
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
