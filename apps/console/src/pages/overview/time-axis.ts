import type { ConsoleSales } from '@saleproof/schema/console'
import { useMemo } from 'react'
import { useLanguage } from '../../i18n/language.tsx'

export type Period = Pick<ConsoleSales, 'bucket' | 'timezone' | 'period'>

const seconds = { hour: 3600, day: 86_400, month: 31 * 86_400 }

/** The time axis of a chart with buckets. Its labels use the time zone in which the service counted. */
export function useTimeAxis({ bucket, timezone: timeZone, period }: Period, starts: readonly string[]) {
  const { tag } = useLanguage().format
  return useMemo(() => {
    const month = { timeZone, month: 'short', year: 'numeric' } as const
    const date = bucket === 'month' ? month : ({ timeZone, day: 'numeric', month: 'short' } as const)
    const time = { timeZone, hour: 'numeric', minute: '2-digit' } as const
    const short = new Intl.DateTimeFormat(tag, period === '24h' ? time : date)
    const long = new Intl.DateTimeFormat(tag, {
      ...date,
      ...(bucket !== 'month' && { weekday: 'short' }),
      ...(bucket === 'hour' && time),
    })
    return {
      times: starts.map((start) => Date.parse(start) / 1000),
      bucketSeconds: seconds[bucket],
      formatTime: (seconds: number) => short.format(seconds * 1000),
      labels: starts.map((start) => long.format(new Date(start))),
    }
  }, [tag, bucket, timeZone, period, starts])
}
