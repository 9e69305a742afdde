import type { CSSProperties, ReactNode } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { DataTable } from './data-table.tsx'
import styles from './ranking.module.css'

export interface Ranked {
  key: string
  /** With a link, where it leads anywhere. */
  name: ReactNode
  count: number
  /** How it went over the period. */
  course?: readonly number[]
  /** What further columns of the table say. */
  further?: readonly string[]
}

interface RankingProps {
  title: string
  text?: string
  none: string
  ranked: readonly Ranked[]
  /** The names of the columns of the table. */
  columns: readonly [string, string, ...string[]]
  /** The name of a colour of the design. */
  colour: string
}

/** A line without scale: it shows when, the number beside it how much. */
function Course({ counts }: { counts: readonly number[] }) {
  const highest = Math.max(...counts, 1)
  const step = 100 / Math.max(counts.length - 1, 1)
  const points = counts.map(
    (count, index) => `${(index * step).toFixed(1)},${(20 - (count / highest) * 20).toFixed(1)}`,
  )
  return (
    <svg className={styles.spark} viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  )
}

/** What there is most of, with bars. */
export function Ranking({ title, text, none, ranked, columns, colour }: RankingProps) {
  const { format } = useLanguage()
  const most = Math.max(...ranked.map(({ count }) => count), 1)
  return (
    <Card title={title}>
      {text && <p className={styles.text}>{text}</p>}
      {ranked.length === 0 && <p className={styles.none}>{none}</p>}
      <ul className={styles.list}>
        {ranked.slice(0, 8).map(({ key, name, count, course }) => (
          <li key={key} className={styles.row}>
            <span className={styles.name}>{name}</span>
            {course ? <Course counts={course} /> : <span />}
            <span className={styles.count}>{format.number(count)}</span>
            <span className={styles.bar} style={{ '--bar': `var(${colour})` } as CSSProperties}>
              <span style={{ inlineSize: `${(count / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {ranked.length > 0 && (
        <DataTable
          caption={title}
          columns={columns}
          rows={ranked.map(({ key, name, count, further = [] }) => ({
            key,
            cells: [name, format.number(count), ...further],
          }))}
        />
      )}
    </Card>
  )
}
