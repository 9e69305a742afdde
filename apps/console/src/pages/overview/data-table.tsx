import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Cell, HeadCell, Row, Table } from '../../ui/table.tsx'
import styles from './data-table.module.css'

interface DataTableProps {
  caption: string
  columns: readonly string[]
  /** The first of each row says what the row is about. */
  rows: readonly { key: string; cells: readonly [ReactNode, ...ReactNode[]] }[]
}

/** The numbers behind a chart: to be read exactly, heard, or copied. */
export function DataTable({ caption, columns, rows }: DataTableProps) {
  const { t } = useLanguage()
  return (
    <details className={styles.numbers}>
      <summary>{t.overview.table.open}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
      <section className={styles.scroll} tabIndex={0} aria-label={caption}>
        <Table caption={caption} columns={columns.map((name, index) => ({ name, number: index > 0 }))}>
          {rows.map(({ key, cells: [head, ...cells] }) => (
            <Row key={key}>
              <HeadCell>{head}</HeadCell>
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
