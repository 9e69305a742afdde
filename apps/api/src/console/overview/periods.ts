import type { OverviewPeriod } from '@saleproof/schema/console'
import { Temporal } from 'temporal-polyfill'

/** A stretch of time of which one number is shown. */
export interface Period {
  bucket: 'hour' | 'day'
  /** When each bucket begins, and at last when the last one ends; in milliseconds since 1970. */
  edges: number[]
}

const lengths = {
  '24h': { bucket: 'hour', count: 24 },
  '7d': { bucket: 'hour', count: 7 * 24 },
  '30d': { bucket: 'day', count: 30 },
  '90d': { bucket: 'day', count: 90 },
} as const satisfies Record<OverviewPeriod, { bucket: 'hour' | 'day'; count: number }>

/** The buckets of a period that ends with the hour or the day of now, as they are in a time zone: a day may have 23 hours, or 25. */
export function bucketsOf(period: OverviewPeriod, timezone: string, now: number): Period {
  const { bucket, count } = lengths[period]
  const moment = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone)
  const last =
    bucket === 'hour' ? moment.round({ smallestUnit: 'hour', roundingMode: 'floor' }) : moment.startOfDay()
  const edges = Array.from({ length: count + 1 }, (_, index) => {
    const distance = index - count + 1
    return bucket === 'hour'
      ? last.add({ hours: distance }).epochMilliseconds
      : last.add({ days: distance }).startOfDay().epochMilliseconds
  })
  return { bucket, edges }
}
