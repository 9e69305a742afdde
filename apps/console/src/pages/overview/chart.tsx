import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useIsDark } from '../../app/theme.ts'
import { classes } from '../../ui/classes.ts'
import styles from './chart.module.css'
import { type ChartOptions, draw } from './draw-chart.ts'

interface Named {
  name: string
  colour: string
  /** What the legend says of the bucket under the pointer, or of the whole period. */
  told: (index: number | null) => string
}

interface ChartProps extends Omit<ChartOptions, 'onPoint'> {
  /** What the chart shows, in a sentence: the numbers are in the table behind it. */
  summary: string
  /** In the order of the legend. */
  legend: readonly Named[]
  /** What the legend is about. */
  when: (index: number | null) => string
  small?: boolean
}

export function Chart({ summary, legend, when, small, ...options }: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const [point, setPoint] = useState<number | null>(null)
  const isDark = useIsDark()
  const { kind, times, series, bucket, time, value } = options
  // In the dark the colours are others.
  useEffect(() => {
    if (!element.current) return
    return draw(element.current, { kind, times, series, bucket, time, value, onPoint: setPoint })
  }, [kind, times, series, bucket, time, value, isDark])
  return (
    <>
      <p className={styles.when}>{when(point)}</p>
      <ul className={styles.legend}>
        {legend.map(({ name, colour, told }) => (
          <li key={name}>
            <span className={styles.swatch} style={{ background: `var(${colour})` } as CSSProperties} />
            {name} <strong>{told(point)}</strong>
          </li>
        ))}
      </ul>
      <div
        className={classes(styles.plot, small && styles.small)}
        role="img"
        aria-label={summary}
        ref={element}
      />
    </>
  )
}
