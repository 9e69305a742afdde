import { useEffect, useRef, useState } from 'react'
import { useIsDark } from '../../app/theme.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { classes } from '../../ui/classes.ts'
import styles from './chart.module.css'
import { DataTable } from './data-table.tsx'
import { type ChartOptions, drawChart } from './draw-chart.ts'
import { type Period, useTimeAxis } from './time-axis.ts'

interface LegendEntry {
  name: string
  color: string
  /** The value of a bucket, or that of the whole period. */
  valueAt: (index: number | null) => string
}

interface ChartProps extends Pick<ChartOptions, 'kind' | 'series' | 'formatValue'> {
  period: Period
  /** When each bucket starts. */
  starts: readonly string[]
  /** Describes the chart for screen readers. */
  summary: string
  legend: readonly LegendEntry[]
  small?: boolean
  /** The table of the numbers: its caption, its columns after the time, and the cells of a bucket. */
  caption: string
  columns: readonly string[]
  cells: (index: number) => readonly string[]
}

/** A chart of the buckets of a period, and its numbers as a table with the latest first. */
export function Chart(props: ChartProps) {
  const { period, starts, kind, series, formatValue, summary, legend, small, caption, columns, cells } = props
  const { charts, table } = useLanguage().t.overview
  const element = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const isDark = useIsDark()
  const axis = useTimeAxis(period, starts)
  // Hovering changes none of these. `isDark`: the colours change with the theme.
  useEffect(() => {
    if (!element.current) return
    return drawChart(element.current, { ...axis, kind, series, formatValue, onHover: setHovered })
  }, [axis, kind, series, formatValue, isDark])
  return (
    <>
      <p className={styles.label}>{hovered === null ? charts.wholePeriod : axis.labels[hovered]}</p>
      <ul className={styles.legend}>
        {legend.map(({ name, color, valueAt }) => (
          <li key={name}>
            <span className={styles.swatch} style={{ background: `var(${color})` }} />
            {name} <strong>{valueAt(hovered)}</strong>
          </li>
        ))}
      </ul>
      <div
        className={classes(styles.chart, small && styles.small)}
        role="img"
        aria-label={summary}
        ref={element}
      />
      <DataTable
        caption={caption}
        columns={[table.time[period.bucket], ...columns]}
        rows={starts.map((key, index) => ({ key, cells: [axis.labels[index], ...cells(index)] })).reverse()}
      />
    </>
  )
}
