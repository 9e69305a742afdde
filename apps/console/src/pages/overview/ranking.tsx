import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { DataTable } from './data-table.tsx'
import { toLine } from './plot-shapes.ts'
import styles from './ranking.module.css'

export interface RankingRow {
  key: string
  name: ReactNode
  /** The length of the bar. */
  count: number
  /** Shown in place of the count. */
  value?: string
  /** The counts of each bucket. */
  history?: readonly number[]
  /** The further columns of the table. */
  cells?: readonly string[]
}

interface RankingProps {
  title: string
  description?: string
  emptyText: string
  rows: readonly RankingRow[]
  /** The columns of the table. */
  columns: readonly string[]
  /** The name of a CSS custom property. */
  color: string
}

/** The name of an item with a link to its page, while it exists. */
export function ItemLink({ id, name }: { id: number; name: string | null }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  if (name === null) return `${t.overview.charts.deletedItem} ${id}`
  return <Link to={pathTo(paths.item, { workspace: slug, item: String(id) })}>{name}</Link>
}

const maxBars = 8

/** A line without a scale. */
function Sparkline({ counts }: { counts: readonly number[] }) {
  const highest = Math.max(...counts, 1)
  const box = `0.5 ${-highest} ${Math.max(counts.length - 1, 1)} ${highest}`
  return (
    <svg className={styles.sparkline} viewBox={box} preserveAspectRatio="none" aria-hidden>
      <path d={toLine(counts)} />
    </svg>
  )
}

/** The highest counts as bars, and all of them as a table. */
export function Ranking({ title, description, emptyText, rows, columns, color }: RankingProps) {
  const { format } = useLanguage()
  const highest = Math.max(...rows.map(({ count }) => count), 1)
  return (
    <Card title={title} description={description}>
      {rows.length === 0 && <p className="muted">{emptyText}</p>}
      <ul className={styles.list}>
        {rows.slice(0, maxBars).map(({ key, name, count, value, history }) => (
          <li key={key} className={styles.row}>
            <span className={styles.name}>{name}</span>
            {history ? <Sparkline counts={history} /> : <span />}
            <span className={styles.count}>{value ?? format.number(count)}</span>
            <span className={styles.bar}>
              <span style={{ inlineSize: `${(count / highest) * 100}%`, background: `var(${color})` }} />
            </span>
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows.map(({ key, name, count, value, cells = [] }) => ({
            key,
            cells: [name, value ?? format.number(count), ...cells],
          }))}
        />
      )}
    </Card>
  )
}
