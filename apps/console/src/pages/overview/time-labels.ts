import type { ConsoleSales } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'

export type Period = Pick<ConsoleSales, 'bucket' | 'timezone' | 'period'>

/** What the buckets of a chart are called, in the time zone in which the service counted. */
export function useTimeLabels({ bucket, timezone: timeZone, period }: Period, starts: readonly string[]) {
  const { tag } = useLanguage().format
  const month = { timeZone, month: 'short', year: 'numeric' } as const
  const date = bucket === 'month' ? month : ({ timeZone, day: 'numeric', month: 'short' } as const)
  const time = { timeZone, hour: 'numeric', minute: '2-digit' } as const
  const short = new Intl.DateTimeFormat(tag, period === '24h' ? time : date)
  const long = new Intl.DateTimeFormat(tag, {
    ...date,
    ...(bucket !== 'month' && { weekday: 'short' }),
    ...(bucket === 'hour' && time),
  })
  return starts.map((start) => {
    const at = new Date(start)
    return { short: short.format(at), long: long.format(at) }
  })
}
