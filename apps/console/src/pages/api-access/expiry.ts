import { startOfDay } from '../../i18n/dates.ts'

const day = 24 * 60 * 60 * 1000

const lengths = { never: 0, days30: 30 * day, days90: 90 * day, year: 365 * day, day: 0 }

export type Expiry = keyof typeof lengths

export const expiries = Object.keys(lengths) as readonly Expiry[]

/** When a key ends that is made now; undefined for never. */
export function expiryOf(expiry: Expiry, now: Date): string | undefined {
  const length = lengths[expiry]
  return length ? new Date(now.getTime() + length).toISOString() : undefined
}

/** The last moment of a day (`2026-12-31`) in the time zone of the browser. */
export function endOfDay(text: string): string | undefined {
  const next = startOfDay(text, 1)
  return next && new Date(Date.parse(next) - 1).toISOString()
}
