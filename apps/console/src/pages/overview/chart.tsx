import type { ConsoleSales } from '@saleproof/schema/console'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import styles from './chart.module.css'
import { DataTable } from './data-table.tsx'
import { Plot, type PlotProps } from './plot.tsx'

type Period = Pick<ConsoleSales, 'bucket' | 'timezone' | 'period'>

/** What the buckets of a chart are called, in the time zone in which the service counted. */
function useTimeLabels({ bucket, timezone: timeZone, period }: Period, starts: readonly string[]) {
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

interface LegendEntry {
  name: string
  color: string
  /** The value of a bucket, or that of the whole period. */
  valueAt: (index: number | null) => string
}

interface ChartProps extends Omit<PlotProps, 'times' | 'hovered' | 'onHover'> {
  period: Period
  /** When each bucket starts. */
  starts: readonly string[]
  legend: readonly LegendEntry[]
  /** The table of the numbers: its caption, its columns after the time, and the cells of a bucket. */
  caption: string
  columns: readonly string[]
  cells: (index: number) => readonly string[]
}

/** A chart of the buckets of a period, and its numbers as a table with the latest first. */
export function Chart({ period, starts, legend, caption, columns, cells, ...plot }: ChartProps) {
  const { charts, table } = useLanguage().t.overview
  const [hovered, setHovered] = useState<number | null>(null)
  const labels = useTimeLabels(period, starts)
  return (
    <>
      <p className={styles.label}>{hovered === null ? charts.wholePeriod : labels[hovered]?.long}</p>
      <ul className={styles.legend}>
        {legend.map(({ name, color, valueAt }) => (
          <li key={name}>
            <span className={styles.swatch} style={{ background: `var(${color})` }} />
            {name} <strong>{valueAt(hovered)}</strong>
          </li>
        ))}
      </ul>
      <Plot {...plot} times={labels.map(({ short }) => short)} hovered={hovered} onHover={setHovered} />
      <DataTable
        caption={caption}
        columns={[table.time[period.bucket], ...columns]}
        rows={starts.map((key, index) => ({ key, cells: [labels[index]?.long, ...cells(index)] })).reverse()}
      />
    </>
  )
}
