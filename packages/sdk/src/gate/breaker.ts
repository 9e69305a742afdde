import type { SaleproofError } from '../errors.ts'

const firstBackoffMs = 1_000
const longestBackoffMs = 30_000
// A response that asks for more is not believed: it would shut everybody out.
const longestWaitMs = 60_000
const maxFailed = 100

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
  let isKeyRefused = false
  /** The keys of entries that failed and did not succeed since. */
  const failed = new Set<string>()

  const wait = (ms: number) => {
    from = now()
    until = from + ms
  }

  return {
    /** The error of the outage, until a probe ends it. */
    outage: () => outage,
    /** Whether a key may probe, and nothing else for a time: one that failed waits longer. A clock that was set back prolongs nothing. */
    mayProbe(key: string, ms: number): boolean {
      const mayProbe = now() >= (failed.has(key) ? failedUntil : until) || now() < from
      if (mayProbe) wait(ms)
      return mayProbe
    },
    /** Whether an error says that the code is wrong, in place of the answer that says so. Not where the key is wrong. */
    isRefusal: ({ kind, retryable }: SaleproofError) =>
      kind === 'rate_limited' && !retryable && !isKeyRefused,
    /** Takes the result of a request. Only that of a probe ends an outage: others were sent before it began. */
    record(key: string, error: SaleproofError | undefined, isProbe: boolean): void {
      if (!error || error.kind === 'authentication') isKeyRefused = !!error
      if (!error?.retryable) {
        failed.delete(key)
        if (isProbe) outage = undefined
        return
      }
      if (!outage && failed.has(key)) return
      if (failed.size >= maxFailed) failed.clear()
      failed.add(key)
      const leftMs = outage && !isProbe ? until - now() : 0
      if (!leftMs) backoffMs = outage ? Math.min(longestBackoffMs, backoffMs * 2) : firstBackoffMs
      outage = error
      const askedMs = Math.min(longestWaitMs, error.retryAfterMs ?? 0)
      // A response to one code alone is about that code.
      const isForAll = failed.size > 1 || error.kind === 'rate_limited'
      wait(Math.max(leftMs, backoffMs, isForAll ? askedMs : 0))
      failedUntil = Math.max(until, now() + askedMs) + backoffMs
    },
    reset(): void {
      outage = undefined
      failed.clear()
    },
  }
}
