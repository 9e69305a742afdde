import type { OverviewPeriod } from '@saleproof/schema/console'
import { Temporal } from 'temporal-polyfill'

/** A period split into buckets. Times are in milliseconds since 1970. */
interface Period {
  bucket: 'hour' | 'day'
  starts: number[]
  /** When the last bucket ends. */
  end: number
}

type Lengths = Readonly<Record<OverviewPeriod, { bucket: 'hour' | 'day'; count: number }>>

export const validationBuckets: Lengths = {
  '24h': { bucket: 'hour', count: 24 },
  '7d': { bucket: 'hour', count: 7 * 24 },
  '30d': { bucket: 'day', count: 30 },
  '90d': { bucket: 'day', count: 90 },
}

/** Most shops have few sales in an hour. */
export const salesBuckets: Lengths = { ...validationBuckets, '7d': { bucket: 'day', count: 7 } }

/** The buckets of a period that ends with the current hour or day of the time zone. A day may have 23 or 25 hours. */
export function bucketsOf(
  period: OverviewPeriod,
  timezone: string,
  now: number,
  lengths = validationBuckets,
): Period {
  const { bucket, count } = lengths[period]
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone)
  const last =
    bucket === 'hour' ? time.round({ smallestUnit: 'hour', roundingMode: 'floor' }) : time.startOfDay()
  const bucketStart = (distance: number) =>
    bucket === 'hour'
      ? last.add({ hours: distance }).epochMilliseconds
      : last.add({ days: distance }).startOfDay().epochMilliseconds
  const starts = Array.from({ length: count }, (_, index) => bucketStart(index - count + 1))
  return { bucket, starts, end: bucketStart(1) }
}

/** The bucket of an hour since 1970. Where a time zone's day begins within an hour, that hour belongs to the day before. */
export const bucketIndex = (starts: readonly number[], hour: number) =>
  starts.findLastIndex((start, index) => index === 0 || hour * 3_600_000 >= start)
