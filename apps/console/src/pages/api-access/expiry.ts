import { startOfDay } from '../../i18n/dates.ts'

const dayMs = 24 * 60 * 60 * 1000

const inDays = (days: number, now: Date) => new Date(now.getTime() + days * dayMs).toISOString()

export const expiries = ['never', 'days30', 'days90', 'year', 'day'] as const

export type Expiry = (typeof expiries)[number]

const days: Partial<Record<Expiry, number>> = { days30: 30, days90: 90, year: 365 }

/** When a key created now expires; undefined for never and for a custom day. */
export function computeExpiry(expiry: Expiry, now: Date): string | undefined {
  const lifetime = days[expiry]
  return lifetime ? inDays(lifetime, now) : undefined
}

/** The last millisecond of a day (`2026-12-31`) in the browser's time zone. */
export function endOfDay(text: string): string | undefined {
  const next = startOfDay(text, 1)
  return next && new Date(Date.parse(next) - 1).toISOString()
}

export const endings = ['now', 'hours24', 'days7', 'days30', 'day'] as const

/** How long a key works after it was rotated. */
export type Ending = (typeof endings)[number]

const endingDays: Partial<Record<Ending, number>> = { hours24: 1, days7: 7, days30: 30 }

/** When a key that is rotated now stops working; null for at once, undefined for a custom day. */
export function computeEnd(ending: Ending, now: Date): string | null | undefined {
  if (ending === 'now') return null
  const days = endingDays[ending]
  return days === undefined ? undefined : inDays(days, now)
}
