import { startOfDay } from '../../i18n/dates.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The days until a key ends. */
const lifetimes = { hours24: 1, days7: 7, days30: 30, days90: 90, year: 365 } as const

export type Ending = keyof typeof lifetimes | 'now' | 'never' | 'day'

/** The last millisecond of a day (`2026-12-31`) in the browser's time zone. */
function endOfDay(text: string): string | undefined {
  const next = startOfDay(text, 1)
  return next && new Date(Date.parse(next) - 1).toISOString()
}

/** When a key ends that is created or rotated now: null for at once, undefined for never or an unfinished day. */
export function computeEnd(ending: Ending, day: string, now: Date): string | null | undefined {
  if (ending === 'now') return null
  if (ending === 'never') return undefined
  if (ending === 'day') return endOfDay(day)
  return new Date(now.getTime() + lifetimes[ending] * dayMs).toISOString()
}
