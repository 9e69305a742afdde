import type { OverviewPeriod } from '@saleproof/schema/console'
import { Temporal } from 'temporal-polyfill'

/** A period split into buckets. Times are in milliseconds since 1970. */
interface Period<Bucket> {
  bucket: Bucket
  starts: number[]
  /** When the last bucket ends. */
  end: number
}

interface Length<Bucket> {
  bucket: Bucket
  count: number | ((now: Temporal.ZonedDateTime, first: Temporal.ZonedDateTime) => number)
}

type Lengths<Bucket> = Readonly<Record<OverviewPeriod, Length<Bucket>>>

const ninetyDays = { bucket: 'day', count: 90 } as const

export const validationBuckets: Lengths<'hour' | 'day'> = {
  '24h': { bucket: 'hour', count: 24 },
  '7d': { bucket: 'hour', count: 7 * 24 },
  '30d': { bucket: 'day', count: 30 },
  '90d': ninetyDays,
  month: { bucket: 'day', count: ({ day }) => day },
  year: ninetyDays,
  all: ninetyDays,
}

/** 20 years: what was sold before counts as sold in the first month. */
const maxMonths = 240

/** Most shops have few sales in an hour. */
export const salesBuckets: Lengths<'hour' | 'day' | 'month'> = {
  ...validationBuckets,
  '7d': { bucket: 'day', count: 7 },
  year: { bucket: 'month', count: ({ month }) => month },
  all: {
    bucket: 'month',
    count: (now, first) =>
      Math.max(1, Math.min(maxMonths, (now.year - first.year) * 12 + now.month - first.month + 1)),
  },
}

/** The buckets of a period that ends with the current hour, day or month of the time zone. A day may have 23 or 25 hours. */
export function listBuckets<Bucket extends 'hour' | 'day' | 'month'>(
  period: OverviewPeriod,
  timezone: string,
  now: number,
  lengths: Lengths<Bucket>,
  first = now,
): Period<Bucket> {
  const { bucket, count } = lengths[period]
  const inZone = (time: number) => Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone)
  const time = inZone(now)
  const last =
    bucket === 'hour'
      ? time.round({ smallestUnit: 'hour', roundingMode: 'floor' })
      : bucket === 'day'
        ? time.startOfDay()
        : time.with({ day: 1 }).startOfDay()
  const bucketStart = (distance: number) => {
    const start = last.add({ [`${bucket}s`]: distance })
    return (bucket === 'hour' ? start : start.startOfDay()).epochMilliseconds
  }
  const length = typeof count === 'number' ? count : count(time, inZone(first))
  const starts = Array.from({ length }, (_, index) => bucketStart(index - length + 1))
  return { bucket, starts, end: bucketStart(1) }
}

/**
 * The bucket of an hour since 1970. Where a time zone's day begins within an hour, that hour belongs to it: sales of imported files, of which
 * the day alone is known, are at its beginning.
 */
export const bucketIndex = (starts: readonly number[], hour: number) =>
  starts.findLastIndex((start, index) => index === 0 || (hour + 1) * 3_600_000 > start)
