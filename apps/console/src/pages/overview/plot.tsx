import type { CSSProperties, PointerEvent } from 'react'
import { classes } from '../../ui/classes.ts'
import styles from './chart.module.css'
import { axisTicks, toBars, toLine, toPoints, valueRange } from './plot-shapes.ts'

export interface Series {
  /** The name of a CSS custom property. */
  color: string
  values: readonly (number | null)[]
}

export interface PlotProps {
  kind: 'bars' | 'lines'
  /** The first is drawn at the back. */
  series: readonly Series[]
  formatValue: (value: number) => string
  /** The time of each bucket. */
  times: readonly string[]
  /** The bucket under the pointer. */
  hovered: number | null
  onHover: (index: number | null) => void
  small?: boolean | undefined
  /** For screen readers. */
  summary: string
}

/** More times would not fit beside each other. */
const maxTimes = 6

const percent = (share: number) => `${share * 100}%`

export function Plot(props: PlotProps) {
  const { kind, series, formatValue, times, hovered, onHover, small, summary } = props
  const range = valueRange(series.flatMap(({ values }) => values))
  const { lowest, highest } = range
  const height = highest - lowest
  const ticks = axisTicks(range, kind === 'bars')
  const step = Math.ceil(times.length / maxTimes)
  const hover = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * times.length)
    onHover(Math.max(0, Math.min(index, times.length - 1)))
  }
  return (
    <div className={classes(styles.chart, small && styles.small)} role="img" aria-label={summary}>
      <div className={styles.values}>
        {ticks.map((tick) => (
          <span key={tick} style={{ insetBlockEnd: percent((tick - lowest) / height) }}>
            {formatValue(tick)}
          </span>
        ))}
      </div>
      <div
        className={styles.plot}
        onPointerDown={hover}
        onPointerMove={hover}
        onPointerLeave={() => onHover(null)}
      >
        <svg viewBox={`0 ${-highest} ${times.length} ${height}`} preserveAspectRatio="none" aria-hidden>
          <path className={styles.grid} d={ticks.map((tick) => `M0 ${-tick}h${times.length}`).join('')} />
          {hovered !== null && (
            <rect className={styles.hovered} x={hovered} y={-highest} width="1" height={height} />
          )}
          {series.map(({ color, values }) => (
            // React's type has no custom properties.
            <g key={color} style={{ '--color': `var(${color})` } as CSSProperties}>
              {kind === 'bars' ? (
                <path className={styles.bars} d={toBars(values)} />
              ) : (
                <>
                  <path className={styles.line} d={toLine(values)} />
                  <path className={styles.points} d={toPoints(values)} />
                </>
              )}
            </g>
          ))}
        </svg>
      </div>
      <div className={styles.times}>
        {times.map((time, index) =>
          index % step === 0 ? (
            <span key={index} style={{ insetInlineStart: percent((index + 0.5) / times.length) }}>
              {time}
            </span>
          ) : null,
        )}
      </div>
    </div>
  )
}
