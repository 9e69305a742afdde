/** The longest wait before the second attempt; it doubles with every further one. */
export const firstBackoffMs = 250
/** The longest backoff. */
export const longestBackoffMs = 4_000

/**
 * Whether a later attempt may get another status. Not after 501: what is not implemented stays so.
 */
export const isRetryableStatus = (status: number): boolean =>
  /^(408|425|429|5(?!01)\d\d)$/.test(String(status))

/**
 * The milliseconds that `Retry-After` asks for: seconds, or a date of HTTP relative to `now`. `undefined` where there is none
 * or where it cannot be read. `Date.parse` alone will not do: it reads `-5` as a day in 2001.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header)
    ? Number(header) * 1_000
    : /:\d\d GMT$/.test(header)
      ? Date.parse(header) - now
      : Number.NaN
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/**
 * How long to wait after the `attempt`-th attempt (from 1), or `undefined` to give up. Without a word of the API it is anything
 * up to the back-off (full jitter; `random` is from 0 to 1). What the API asked for is never shortened: where it does not fit
 * into the time that is left, there is no next attempt.
 */
export function retryDelay(
  attempt: number,
  retryAfterMs: number | undefined,
  remainingMs: number,
  random: number,
): number | undefined {
  const wait =
    retryAfterMs === undefined
      ? random * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempt - 1))
      : retryAfterMs + random * firstBackoffMs
  return wait < remainingMs ? wait : undefined
}

/**
 * Retries of the whole client, as tokens: a retry takes one, a success gives back a tenth. In an outage the requests therefore
 * grow by the ten that a full budget holds, not by a factor.
 */
export function createRetryBudget(capacity = 10, earnings = 0.1) {
  let tokens = capacity
  return {
    spend: (): boolean => tokens >= 1 && tokens-- >= 1,
    earn(): void {
      tokens = Math.min(capacity, tokens + earnings)
    },
  }
}

export type RetryBudget = ReturnType<typeof createRetryBudget>
