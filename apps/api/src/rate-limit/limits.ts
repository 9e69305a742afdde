import type { ErrorCode } from '@saleproof/schema'
import type { Config, Limit } from '../config.ts'
import type { Budget, Take } from './budget.ts'
import { clientKey } from './client-key.ts'
import { mapMaybeAsync } from './map-maybe-async.ts'

/** What a limit says to one request. */
export interface LimitResult {
  allowed: boolean
  /** The value of `RateLimit-Policy` (IETF draft). */
  policy: string
  /** The value of `RateLimit` (IETF draft): what is left, and for how many seconds. */
  header: string
  /** Whole seconds until the window ends. */
  retryAfter: number
}

/** A verdict at once, or in a moment where something else has to be asked; undefined where nothing is limited. */
export type MaybeLimitResult = LimitResult | undefined | Promise<LimitResult | undefined>

/**
 * What is limited: requests of a key and an address; failures of someone who guesses, of one address and of all together; and passwords
 * that are tried.
 */
export type LimitKind = 'requests' | 'failures' | 'key-failures' | 'sign-ins'

/** The limits that the service is set to. */
export type LimitsByKind = Readonly<Record<LimitKind, Limit>>

export const limitsOf = ({
  rateLimit,
  failureLimit,
  keyFailureLimit,
  signInLimit,
}: Config): LimitsByKind => ({
  requests: rateLimit,
  failures: failureLimit,
  'key-failures': keyFailureLimit,
  'sign-ins': signInLimit,
})

type ActiveLimit = NonNullable<Limit>

export interface LimitsOptions {
  limits: LimitsByKind
  /** Makes the budget of a limit: of this process, or shared by all of them. */
  budget: (kind: LimitKind, limit: ActiveLimit) => Budget
  now: () => number
}

/** Failures that someone who guesses makes. */
const guesses: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'item_not_found', 'purchase_not_found'])

const policyOf = (kind: LimitKind, { count, seconds }: ActiveLimit) => `"${kind}";q=${count};w=${seconds}`

/** Takes from the budget of a limit and says what that means; undefined where there is no limit. */
function createJudge(kind: LimitKind, { limits, budget: makeBudget, now }: LimitsOptions) {
  const limit = limits[kind]
  if (!limit) return undefined
  const budget = makeBudget(kind, limit)
  const policy = policyOf(kind, limit)

  function verdictOf(taken: Take): LimitResult | undefined {
    if (!taken) return undefined
    const { allowed, remaining, resetAt } = taken
    const retryAfter = Math.max(1, Math.ceil((resetAt - now()) / 1000))
    return { allowed, policy, header: `"${kind}";r=${remaining};t=${retryAfter}`, retryAfter }
  }

  return {
    policy,
    take: (name: string): MaybeLimitResult => mapMaybeAsync(budget.take(name), verdictOf),
    giveBack: (name: string) => budget.giveBack(name),
  }
}

/**
 * The limits of the contract. Requests are counted for each key and address together, because one key may serve thousands of buyers'
 * servers. Failures are counted apart, and only turn answers that would fail anyway into 429: an honest caller behind the same address
 * never notices. So that he does not run out of requests either, a failure that is one too many is none of them. Failures of a key are
 * counted over all addresses as well: for whoever has many, a limit for each of them would be none.
 */
export function createLimits(options: LimitsOptions) {
  const requests = createJudge('requests', options)
  const failures = createJudge('failures', options)
  const keyFailures = createJudge('key-failures', options)

  const guess = (keyId: string, address: string): MaybeLimitResult =>
    mapMaybeAsync<LimitResult | undefined, LimitResult | undefined>(failures?.take(address), (verdict) =>
      verdict && !verdict.allowed ? verdict : (keyFailures?.take(keyId) ?? verdict),
    )

  return {
    /** The value of `RateLimit-Policy` where requests are limited. */
    policy: requests?.policy,

    /** Counts a request of a key that is known. */
    request: (keyId: string, address: string): MaybeLimitResult =>
      requests?.take(`${keyId} ${clientKey(address)}`),

    /** Counts a failure, if it is one that is limited. */
    failure(code: ErrorCode, keyId: string | undefined, address: string): MaybeLimitResult {
      if (!guesses.has(code)) return undefined
      const caller = clientKey(address)
      if (keyId === undefined) return failures?.take(caller)
      const name = `${keyId} ${caller}`
      return mapMaybeAsync(guess(keyId, name), (verdict) => {
        if (verdict && !verdict.allowed) requests?.giveBack(name)
        return verdict
      })
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
