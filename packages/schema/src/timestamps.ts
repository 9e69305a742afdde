const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,]\d+)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)$/i

const daysIn = (year: number, month: number) => {
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

const inRange = (value: number, low: number, high: number) => value >= low && value <= high

/**
 * Reads an ISO 8601 date and time with any UTC offset (`Z`, `+05:30`, `-0300`, `+09`). Fractions of a second are cut off.
 * Gives a `Date` within the years 0001 to 9999 (UTC), or `undefined` for anything else: a time without an offset says no
 * moment.
 *
 * @example
 * parseTimestamp('2024-04-27T14:00:00.9+02:00')?.toISOString() // '2024-04-27T12:00:00.000Z'
 */
export function parseTimestamp(text: string): Date | undefined {
  const match = timestamp.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  const valid =
    inRange(month, 1, 12) &&
    inRange(day, 1, daysIn(year, month)) &&
    inRange(hour, 0, 23) &&
    inRange(minute, 0, 59) &&
    inRange(second, 0, 59) &&
    inRange(offsetHour, 0, 23) &&
    inRange(offsetMinute, 0, 59)
  if (!valid) return undefined
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offset, second)
  return inRange(date.getUTCFullYear(), 1, 9999) ? date : undefined
}

/**
 * A timestamp as the contract writes it: `YYYY-MM-DDTHH:mm:ssZ`, UTC, fractions of a second cut off.
 *
 * @example
 * formatTimestamp(new Date(0)) // '1970-01-01T00:00:00Z'
 */
export const formatTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`
