import { startOfDay } from '../../i18n/dates.ts'

const dayMs = 24 * 60 * 60 * 1000

export const expiries = ['never', 'days30', 'days90', 'year', 'day'] as const

export type Expiry = (typeof expiries)[number]

const days: Partial<Record<Expiry, number>> = { days30: 30, days90: 90, year: 365 }

/** When a key created now expires; undefined for never and for a custom day. */
export function expiryOf(expiry: Expiry, now: Date): string | undefined {
  const lifetime = days[expiry]
  return lifetime ? new Date(now.getTime() + lifetime * dayMs).toISOString() : undefined
}

/** The last millisecond of a day (`2026-12-31`) in the browser's time zone. */
export function endOfDay(text: string): string | undefined {
  const next = startOfDay(text, 1)
  return next && new Date(Date.parse(next) - 1).toISOString()
}
