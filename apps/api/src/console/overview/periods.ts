import type { OverviewPeriod } from '@saleproof/schema/console'
import { Temporal } from 'temporal-polyfill'

/** A period split into buckets. Times are in milliseconds since 1970. */
interface Period {
  bucket: 'hour' | 'day'
  starts: number[]
  /** Of the last bucket. */
  end: number
}

const lengths = {
  '24h': { bucket: 'hour', count: 24 },
  '7d': { bucket: 'hour', count: 7 * 24 },
  '30d': { bucket: 'day', count: 30 },
  '90d': { bucket: 'day', count: 90 },
} as const satisfies Record<OverviewPeriod, { bucket: 'hour' | 'day'; count: number }>

/** The buckets of a period that ends with the current hour or day of the time zone. A day may have 23 or 25 hours. */
export function bucketsOf(period: OverviewPeriod, timezone: string, now: number): Period {
  const { bucket, count } = lengths[period]
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone)
  const last =
    bucket === 'hour' ? time.round({ smallestUnit: 'hour', roundingMode: 'floor' }) : time.startOfDay()
  const startOf = (distance: number) =>
    bucket === 'hour'
      ? last.add({ hours: distance }).epochMilliseconds
      : last.add({ days: distance }).startOfDay().epochMilliseconds
  const starts = Array.from({ length: count }, (_, index) => startOf(index - count + 1))
  return { bucket, starts, end: startOf(1) }
}
