/** The day of a time in the browser's time zone, such as `2026-12-31`. */
export function toDay(iso: string): string {
  const time = new Date(iso)
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
  return parts.map((part, index) => String(part).padStart(index ? 2 : 4, '0')).join('-')
}

/** Midnight in the browser's time zone at the start of a day (`2026-12-31`), or so many days later, in ISO 8601. */
export function startOfDay(text: string, daysLater = 0): string | undefined {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return undefined
  const start = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + daysLater)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
