import { useEffect, useRef, useState } from 'react'
import { useIsDark } from '../../app/theme.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { classes } from '../../ui/classes.ts'
import styles from './chart.module.css'
import { type ChartOptions, drawChart } from './draw-chart.ts'

interface LegendEntry {
  name: string
  color: string
  /** The value of a bucket, or that of the whole period. */
  valueAt: (index: number | null) => string
}

interface ChartProps extends Omit<ChartOptions, 'onHover'> {
  /** Describes the chart for screen readers. */
  summary: string
  legend: readonly LegendEntry[]
  /** The names of the buckets. */
  labels: readonly string[]
  small?: boolean
}

export function Chart({ summary, legend, labels, small, ...options }: ChartProps) {
  const { t } = useLanguage()
  const element = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const isDark = useIsDark()
  const { kind, times, series, bucketSeconds, formatTime, formatValue } = options
  // `isDark`: the colours change with the theme.
  useEffect(() => {
    if (!element.current) return
    const onHover = setHovered
    return drawChart(element.current, {
      kind,
      times,
      series,
      bucketSeconds,
      formatTime,
      formatValue,
      onHover,
    })
  }, [kind, times, series, bucketSeconds, formatTime, formatValue, isDark])
  return (
    <>
      <p className={styles.label}>{hovered === null ? t.overview.charts.wholePeriod : labels[hovered]}</p>
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
    </>
  )
}
