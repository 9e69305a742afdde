import { SaleproofError } from '../errors.ts'

const firstBackoffMs = 1_000
const longestBackoffMs = 30_000
// A response that asks for more is not believed: it would shut everybody out.
const longestWaitMs = 3_600_000

// The limits of the API that turn only responses about wrong codes and wrong keys into a 429.
const isWrongCodes = (limit: string | undefined) => /failures$/.test(limit ?? '')

const outage = /^(connection|timeout|server|rate_limited)$/

/** Remembers an outage: while it is open no request is sent, afterwards one at a time until one succeeds. */
export function createBreaker(now: () => number) {
  let failures = 0
  let from = 0
  let until = 0
  let last = new SaleproofError('connection', {})
  let limitedUntil = 0
  let isKeyRefused = false

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
    /** Whether an error says that the code is wrong, in place of the answer that says so. Not where the key is wrong. */
    isRefusal: ({ limit }: SaleproofError) => isWrongCodes(limit) && !isKeyRefused,
    /** Nothing else is sent while a probe is under way; its end ends this. Gives the error of the outage. */
    startProbe(ms: number): SaleproofError {
      wait(ms)
      return last
    },
    /** Takes the result of a request. Only that of a probe ends an outage: others were sent before it began. */
    record(error: SaleproofError | undefined, isProbe: boolean): void {
      const isLimited = isWrongCodes(error?.limit)
      if (!error || error.kind === 'authentication') isKeyRefused = !!error
      if (isLimited) limitedUntil = now() + (error?.retryAfterMs ?? 0)
      if (!error || isLimited || !outage.test(error.kind)) {
        if (isProbe) failures = 0
        return
      }
      const isNews = isProbe || !failures
      const left = isNews ? 0 : until - now()
      if (isNews) failures += 1
      const { retryAfterMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1)) } = error
      last = error
      wait(Math.max(left, firstBackoffMs, Math.min(longestWaitMs, retryAfterMs)))
    },
  }
}
