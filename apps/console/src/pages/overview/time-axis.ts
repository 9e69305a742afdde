import type { ConsoleOverview } from '@saleproof/schema/console'
import { useMemo } from 'react'
import { useLanguage } from '../../i18n/language.tsx'

export type Period = Pick<ConsoleOverview, 'bucket' | 'timezone' | 'period'>

/** The time axis of a chart with buckets. Its labels use the time zone in which the service counted. */
export function useTimeAxis({ bucket, timezone: timeZone, period }: Period, starts: readonly string[]) {
  const { tag } = useLanguage().format
  return useMemo(() => {
    const date = { timeZone, day: 'numeric', month: 'short' } as const
    const time = { timeZone, hour: 'numeric', minute: '2-digit' } as const
    const short = new Intl.DateTimeFormat(tag, period === '24h' ? time : date)
    const long = new Intl.DateTimeFormat(tag, { ...date, weekday: 'short', ...(bucket === 'hour' && time) })
    return {
      times: starts.map((start) => Date.parse(start) / 1000),
      bucketSeconds: bucket === 'hour' ? 3600 : 86_400,
      formatTime: (seconds: number) => short.format(seconds * 1000),
      labels: starts.map((start) => long.format(new Date(start))),
    }
  }, [tag, bucket, timeZone, period, starts])
}
