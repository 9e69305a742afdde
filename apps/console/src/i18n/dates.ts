/** The moment at which a day (`2026-12-31`) begins here, or the day so many days after it. */
export function startOfDay(text: string, later = 0): string | undefined {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return undefined
  const begins = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + later)
  return Number.isNaN(begins.getTime()) ? undefined : begins.toISOString()
}
