import type { SaleproofError } from '../errors.ts'

const firstBackoffMs = 1_000
const longestBackoffMs = 30_000
// A response that asks for more is not believed: it would shut everybody out.
const longestWaitMs = 60_000
const maxFailed = 100

const outages = /^(connection|timeout|server|rate_limited)$/

/**
 * Remembers an outage: no request is sent for a time, afterwards one at a time until one succeeds. A filter on the way may fail one code
 * alone: while others succeed its failures are no outage, and it is not the first to probe one.
 */
export function createBreaker(now: () => number) {
  /** The error of the outage, `undefined` without one. */
  let outage: SaleproofError | undefined
  let backoffMs = 0
  let from = 0
  let until = 0
  let failedUntil = 0
  let limitedUntil = 0
  let isKeyRefused = false
  /** The keys of entries that failed and did not succeed since. */
  const failed = new Set<string>()

  const wait = (ms: number) => {
    from = now()
    until = from + ms
  }
  const hasFailed = (key: string) => failed.has(key)

  return {
    /** The error of the outage, until a probe ends it. */
    outage: () => outage,
    hasFailed,
    /** Whether a key may probe: one that failed waits longer. A clock that was set back must not make it longer. */
    mayProbe: (key: string) => now() >= (hasFailed(key) ? failedUntil : until) || now() < from,
    /** Whether wrong codes are answered by 429 for a while, and right ones as always. */
    isLimited: () => now() < limitedUntil,
    /** Whether an error says that the code is wrong, in place of the answer that says so. Not where the key is wrong. */
    isRefusal: ({ limit }: SaleproofError) => !!limit && !isKeyRefused,
    /** Nothing else is sent for a time. */
    wait,
    /** Takes the result of a request. Only that of a probe ends an outage: others were sent before it began. */
    record(key: string, error: SaleproofError | undefined, isProbe: boolean): void {
      if (!error || error.kind === 'authentication') isKeyRefused = !!error
      if (error?.limit) limitedUntil = now() + (error.retryAfterMs ?? 0)
      if (!error || error.limit || !outages.test(error.kind)) {
        failed.delete(key)
        if (isProbe) outage = undefined
        return
      }
      if (!outage && hasFailed(key)) return
      failed.add(key)
      const [oldest = ''] = failed
      if (failed.size > maxFailed) failed.delete(oldest)
      let left = 0
      if (outage && !isProbe) left = until - now()
      else backoffMs = outage ? Math.min(longestBackoffMs, backoffMs * 2) : firstBackoffMs
      outage = error
      const askedMs = Math.min(longestWaitMs, error.retryAfterMs ?? 0)
      // A response to one code alone is about that code.
      const isForAll = failed.size > 1 || error.kind === 'rate_limited'
      wait(Math.max(left, backoffMs, isForAll ? askedMs : 0))
      failedUntil = Math.max(until, now() + askedMs) + backoffMs
    },
    reset(): void {
      outage = undefined
      failed.clear()
    },
  }
}
