import type { ConsoleOverview } from '@saleproof/schema/console'

type Buckets = Pick<ConsoleOverview, 'bucket' | 'timezone' | 'period'>

/** How the beginning of a bucket is written: at the axis, and where there is room. The days are those of the counts. */
export function createBucketLabels(tag: string, { bucket, timezone: timeZone, period }: Buckets) {
  const day = new Intl.DateTimeFormat(tag, { timeZone, day: 'numeric', month: 'short' })
  const hour = new Intl.DateTimeFormat(tag, { timeZone, hour: 'numeric', minute: '2-digit' })
  const longDay = new Intl.DateTimeFormat(tag, { timeZone, weekday: 'short', day: 'numeric', month: 'short' })
  const longHour = new Intl.DateTimeFormat(tag, {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit' },
  })
  const axis = period === '24h' ? hour : day
  return {
    axis: (seconds: number) => axis.format(seconds * 1000),
    long: (iso: string) => (bucket === 'hour' ? longHour : longDay).format(new Date(iso)),
  }
}
