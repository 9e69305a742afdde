/** Midnight in the browser's time zone at the start of a day (`2026-12-31`), or so many days later, in ISO 8601. */
export function startOfDay(text: string, daysLater = 0): string | undefined {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return undefined
  const start = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + daysLater)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
