import type { ErrorCode } from '@saleproof/schema'
import type { Config, Limit } from '../config.ts'
import { type Budget, createWindows, type Taken } from './budget.ts'
import { type MaybeAsync, mapMaybeAsync } from './map-maybe-async.ts'

export interface LimitResult {
  allowed: boolean
  /** The value of `RateLimit-Policy` (IETF draft). */
  policy: string
  /** The value of `RateLimit` (IETF draft): what is left, and for how many seconds. */
  header: string
  /** Whole seconds until the window ends. */
  retryAfter: number
  /** When it ends, in milliseconds since 1970. */
  resetAt: number
}

/** Undefined where nothing is limited; at once, unless another process or Redis has to be asked. */
type MaybeLimited = MaybeAsync<LimitResult | undefined>

/**
 * What is limited: requests of a key and an address; failures of someone who guesses, of a key and an address and of a key alone; and
 * sign-ins.
 */
export const limitKinds = ['requests', 'failures', 'key-failures', 'sign-ins'] as const

export type LimitKind = (typeof limitKinds)[number]

export type LimitsByKind = Readonly<Record<LimitKind, Limit>>

export const readLimits = (config: Config): LimitsByKind => ({
  requests: config.rateLimit,
  failures: config.failureLimit,
  'key-failures': config.keyFailureLimit,
  'sign-ins': config.signInLimit,
})

type ActiveLimit = NonNullable<Limit>

export interface LimitsOptions {
  limits: LimitsByKind
  /** Makes the budget of a limit: of this process, or shared by all of them. */
  budget: (kind: LimitKind, limit: ActiveLimit) => Budget
  now: () => number
  /** The codes that each visitor, a publishable key and an address, validated lately. */
  knownCodes: {
    note(visitor: string, code: string): void
    has(visitor: string, code: string): Promise<boolean>
  }
}

/** How often each limit allowed or limited a request, or its state was unknown. */
type LimitStats = Readonly<Record<LimitKind, { allowed: number; limited: number; unknown: number }>>

export function countLimitResults(createBudget: LimitsOptions['budget']) {
  const none = limitKinds.map((kind) => [kind, { allowed: 0, limited: 0, unknown: 0 }])
  // One for each kind.
  const stats: LimitStats = Object.fromEntries(none)
  const budget: LimitsOptions['budget'] = (kind, limit): Budget => {
    const counts = stats[kind]
    const { take, giveBack } = createBudget(kind, limit)
    function count(taken: Taken | undefined) {
      counts[taken === undefined ? 'unknown' : taken.allowed ? 'allowed' : 'limited']++
      return taken
    }
    return { giveBack, take: (name) => mapMaybeAsync(take(name), count) }
  }
  return { budget, stats }
}

/** Failures that someone who guesses makes. */
const guesses: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'item_not_found', 'purchase_not_found'])

/** Says what was taken in the words of headers. `guesses` is what any code gets past the limit of failures: grace is given for it. */
function describeLimit(kind: LimitKind | 'guesses', { count, seconds }: ActiveLimit, now: () => number) {
  const policy = `"${kind}";q=${count};w=${seconds}`
  function toResult(taken: Taken | undefined): LimitResult | undefined {
    if (!taken) return undefined
    const { allowed, remaining, resetAt } = taken
    const retryAfter = Math.max(1, Math.ceil((resetAt - now()) / 1000))
    return { allowed, policy, header: `"${kind}";r=${remaining};t=${retryAfter}`, retryAfter, resetAt }
  }
  return { policy, toResult }
}

function createLimit(kind: LimitKind, { limits, budget: makeBudget, now }: LimitsOptions) {
  const limit = limits[kind]
  if (!limit) return undefined
  const budget = makeBudget(kind, limit)
  const { policy, toResult } = describeLimit(kind, limit, now)
  return {
    policy,
    take: (name: string): MaybeLimited => mapMaybeAsync(budget.take(name), toResult),
    giveBack: budget.giveBack,
  }
}

interface LimitedKey {
  keyId: string
  publishable: boolean
}

/**
 * The limits of the contract. Requests are counted for each key and address together, because one key may serve thousands of buyers'
 * servers. Failures are counted apart, and only turn responses that fail anyway into 429: other clients behind the same address never
 * notice. A failure over its limit is not counted as a request, so that they do not run out of those either. Failures of a key are also
 * counted over all addresses: a limit for each address would not stop a client that has many.
 */
export function createLimits(options: LimitsOptions) {
  const { now, knownCodes } = options
  const requests = createLimit('requests', options)
  const failures = createLimit('failures', options)
  const keyFailures = createLimit('key-failures', options)

  const limit = options.limits.failures
  const guessing = limit && {
    ...describeLimit('guesses', limit, now),
    visitors: createWindows<Taken>({ limit, now }),
  }

  const takeFailure = (keyId: string, name: string): MaybeLimited =>
    mapMaybeAsync<LimitResult | undefined, LimitResult | undefined>(failures?.take(name), (result) =>
      result && !result.allowed ? result : (keyFailures?.take(keyId) ?? result),
    )

  async function refuseUnknown(name: string, code: string, over: Taken) {
    // Where that cannot be known it waits, and gates give grace.
    if (await knownCodes.has(name, code).catch(() => false)) return undefined
    requests?.giveBack(name)
    return guessing?.toResult(over)
  }

  return {
    /** The value of `RateLimit-Policy` where requests are limited. */
    policy: requests?.policy,

    request: (keyId: string, client: string): MaybeLimited => requests?.take(`${keyId} ${client}`),

    /** Counts a failure, if it is one that is limited. */
    failure(code: ErrorCode, key: LimitedKey | undefined, client: string, sent = ''): MaybeLimited {
      if (key && code === 'purchase_not_active') return this.success(key, client, sent, false)
      if (!guesses.has(code)) return undefined
      if (!key) return failures?.take(client)
      const name = `${key.keyId} ${client}`
      function refuse(result: LimitResult | undefined): MaybeLimited {
        if (!result || result.allowed) return result
        if (key?.publishable && result.policy === failures?.policy) {
          const over = { allowed: false, remaining: 0, resetAt: result.resetAt }
          guessing?.visitors.set(name, over)
          return refuseUnknown(name, sent, over)
        }
        requests?.giveBack(name)
        return result
      }
      return mapMaybeAsync(takeFailure(key.keyId, name), refuse)
    },

    /**
     * Whether what is known of a code may be answered. Anybody has a publishable key, and would learn which of many guesses is valid: past the
     * limit of failures a visitor waits for all but the codes that were validated before, and all of them wait alike.
     */
    success(key: LimitedKey, client: string, code: string, isValid = true): MaybeLimited {
      if (!key.publishable) return undefined
      const name = `${key.keyId} ${client}`
      const over = guessing?.visitors.get(name)
      if (over) return refuseUnknown(name, code, over)
      if (isValid) knownCodes.note(name, code)
      return undefined
    },
  }
}

export type Limits = ReturnType<typeof createLimits>
