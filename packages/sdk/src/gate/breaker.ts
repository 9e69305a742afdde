import type { SaleproofError } from '../errors.ts'

const firstBackoffMs = 1_000
const longestBackoffMs = 30_000
// A response that asks for more is not believed: it would shut everybody out.
const longestWaitMs = 3_600_000

// The limits of the API that turn only responses about wrong codes and wrong keys into a 429.
const isWrongCodes = (limit: string | undefined) => /failures$/.test(limit ?? '')

const outages = /^(connection|timeout|server|rate_limited)$/

/** Remembers an outage: no request is sent for a time, afterwards one at a time until one succeeds. */
export function createBreaker(now: () => number) {
  /** The error of the outage, `undefined` without one. */
  let outage: SaleproofError | undefined
  let backoffMs = 0
  let from = 0
  let until = 0
  let limitedUntil = 0
  let isKeyRefused = false

  const wait = (ms: number) => {
    from = now()
    until = from + ms
  }

  return {
    /** The error of the outage, until a probe ends it. */
    outage: () => outage,
    /** Whether the time is over in which no request may be sent. A clock that was set back must not make it longer. */
    isOver: () => now() >= until || now() < from,
    /** Whether wrong codes are answered by 429 for a while, and right ones as always. */
    isLimited: () => now() < limitedUntil,
    /** Whether an error says that the code is wrong, in place of the answer that says so. Not where the key is wrong. */
    isRefusal: ({ limit }: SaleproofError) => isWrongCodes(limit) && !isKeyRefused,
    /** Nothing else is sent for a time. */
    wait,
    /** Takes the result of a request. Only that of a probe ends an outage: others were sent before it began. */
    record(error: SaleproofError | undefined, isProbe: boolean): void {
      const isLimited = isWrongCodes(error?.limit)
      if (!error || error.kind === 'authentication') isKeyRefused = !!error
      if (isLimited) limitedUntil = now() + (error?.retryAfterMs ?? 0)
      if (!error || isLimited || !outages.test(error.kind)) {
        if (isProbe) outage = undefined
        return
      }
      let left = until - now()
      if (isProbe || !outage) {
        left = 0
        backoffMs = outage ? Math.min(longestBackoffMs, backoffMs * 2) : firstBackoffMs
      }
      outage = error
      wait(Math.max(left, firstBackoffMs, Math.min(longestWaitMs, error.retryAfterMs ?? backoffMs)))
    },
  }
}
