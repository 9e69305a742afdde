import type { ErrorCode } from '@saleproof/schema'
import type { Limit } from '../config.ts'
import type { Budget, Taken } from './budget.ts'

/** What a limit says to one request. */
export interface Verdict {
  allowed: boolean
  /** The value of `RateLimit-Policy` (IETF draft). */
  policy: string
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

const policyOf = (kind: LimitKind, { count, seconds }: ActiveLimit) => `"${kind}";q=${count};w=${seconds}`

/** Takes from the budget of a limit and says what that means. */
function createJudge(kind: LimitKind, limit: ActiveLimit, { budget, now }: LimitsOptions) {
  const shared = budget(kind, limit)
  const policy = policyOf(kind, limit)

  function verdictOf({ allowed, remaining, resetAt }: Taken): Verdict {
    const retryAfter = Math.max(1, Math.ceil((resetAt - now()) / 1000))
    return { allowed, policy, header: `"${kind}";r=${remaining};t=${retryAfter}`, retryAfter }
  }

  return (name: string): Verdict | Promise<Verdict> => {
    const taken = shared.take(name)
    return taken instanceof Promise ? taken.then(verdictOf) : verdictOf(taken)
  }
}

/**
 * The two limits of the contract. Requests are counted for each key and address together, because one key may serve thousands of
 * buyers' servers. Failures are counted apart, and only turn answers that would fail anyway into 429: an honest caller behind the same
 * address never notices.
 */
export function createLimits(options: LimitsOptions) {
  const { rateLimit, failureLimit } = options
  const requests = rateLimit && createJudge('requests', rateLimit, options)
  const failures = failureLimit && createJudge('failures', failureLimit, options)
  return {
    /** The value of `RateLimit-Policy` where requests are limited. */
    policy: rateLimit && policyOf('requests', rateLimit),

    /** Counts a request of a key that is known. */
    request: (keyId: string, address: string): Judgement => requests?.(`${keyId} ${address}`),

    /** Counts a failure, if it is one that is limited. */
    failure(code: ErrorCode, keyId: string | undefined, address: string): Judgement {
      if (!guesses.has(code)) return undefined
      return failures?.(code === 'invalid_api_key' ? address : `${keyId} ${address}`)
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
