import type { SaleproofError } from '../errors.ts'

const firstBackoffMs = 1_000
const longestBackoffMs = 30_000
// A response that asks for more is not believed: it would shut everybody out.
const longestWaitMs = 3_600_000

const outage = /^(connection|timeout|server|rate_limited)$/

/** Remembers an outage: while it is open no request is sent, afterwards one at a time until one succeeds. */
export function createBreaker(now: () => number) {
  let failures = 0
  let from = 0
  let until = 0
  let last: SaleproofError | undefined
  let limitedUntil = 0

  const wait = (ms: number) => {
    from = now()
    until = from + ms
  }

  return {
    /** The error of the outage, while no request may be sent. */
    error: () => {
      const time = now()
      // A clock that was set back must not keep it open.
      return failures && time < until && time >= from ? last : undefined
    },
    isTripped: () => failures > 0,
    /** Whether wrong codes are answered by 429 for a while, and right ones as always. */
    isLimited: () => now() < limitedUntil,
    /** Nothing else is sent while a probe is under way; its end ends this. */
    startProbe: wait,
    /** Takes the result of a request. Only that of a probe ends an outage: others were sent before it began. */
    record(error: SaleproofError | undefined, isProbe: boolean): void {
      const isLimited = /failures$/.test(error?.limit ?? '')
      if (isLimited) limitedUntil = now() + (error?.retryAfterMs ?? 0)
      if (!error || isLimited || !outage.test(error.kind)) {
        if (isProbe) failures = 0
        return
      }
      if (isProbe || !failures) failures += 1
      const { retryAfterMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1)) } = error
      const left = isProbe || !last ? 0 : until - now()
      last = error
      wait(Math.max(left, Math.min(longestWaitMs, retryAfterMs)))
    },
  }
}
