import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Cell, Row, RowHeader, Table } from '../../ui/table.tsx'
import styles from './data-table.module.css'

interface DataTableProps {
  caption: string
  columns: readonly string[]
  /** The first cell of a row is its header. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** The numbers of a chart: exact, and readable by screen readers. */
export function DataTable({ caption, columns, rows }: DataTableProps) {
  const { t } = useLanguage()
  return (
    <details className={styles.table}>
      <summary>{t.overview.table.open}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard. */}
      <section className={styles.scroll} tabIndex={0} aria-label={caption}>
        <Table caption={caption} columns={columns.map((name, index) => ({ name, number: index > 0 }))}>
          {rows.map(({ key, cells: [header, ...cells] }) => (
            <Row key={key}>
              <RowHeader>{header}</RowHeader>
              {cells.map((cell, index) => (
                <Cell key={columns[index + 1]} number>
                  {cell}
                </Cell>
              ))}
            </Row>
          ))}
        </Table>
      </section>
    </details>
  )
}
