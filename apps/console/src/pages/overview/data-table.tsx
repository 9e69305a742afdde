import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './data-table.module.css'

interface Row {
  key: string
  /** The first is the header. */
  cells: readonly ReactNode[]
}

interface DataTableProps {
  caption: string
  columns: readonly string[]
  rows: readonly Row[]
}

/** The numbers of a chart: exact, and readable by screen readers. */
export function DataTable({ caption, columns, rows }: DataTableProps) {
  const { t } = useLanguage()
  return (
    <details className={styles.table}>
      <summary>{t.overview.table.open}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard. */}
      <section className={styles.scroll} tabIndex={0} aria-label={caption}>
        <Table
          caption={caption}
          rows={rows}
          rowKey={({ key }) => key}
          columns={columns.map((name, index) => ({
            name,
            number: index > 0,
            cell: ({ cells }: Row) => cells[index],
          }))}
        />
      </section>
    </details>
  )
}
