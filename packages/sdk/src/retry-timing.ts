/** The longest wait before the second attempt; it doubles with every further one. */
export const firstBackoffMs = 250

/**
 * Whether a later attempt may get another status. Not after 501: what is not implemented stays so.
 */
export const isRetryableStatus = (status: number): boolean => /^(408|425|429|5(?!01)..)$/.test(String(status))

/**
 * The milliseconds that `Retry-After` asks for: seconds, or a date of HTTP relative to `now`. `undefined` where there is none
 * or where it cannot be read, and where it asks for no wait. `Date.parse` alone will not do: it reads `-5` as a day in 2001.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = String(header)
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : /:\d\d GMT$/.test(text)
      ? Date.parse(text) - now
      : 0
  return wait > 0 ? wait : undefined
}

/**
 * How long to wait after the `attempt`-th attempt (from 1): what the API asked for, which is never shortened, and anything up to the
 * backoff on top of it (full jitter; `random` is from 0 to 1).
 */
export const retryDelay = (attempt: number, retryAfterMs: number | undefined, random: number): number =>
  (retryAfterMs || 0) + random * firstBackoffMs * 2 ** (attempt - 1)
