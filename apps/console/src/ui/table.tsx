// biome-ignore-all lint/a11y/noRedundantRoles: some browsers drop them when CSS changes the layout of a table.
import type { ReactNode } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './table.module.css'

export interface Column<Row> {
  name: string
  number?: boolean
  /** Without its name before the value in the card layout. */
  unlabelled?: boolean
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  /** For screen readers. */
  caption: string
  /** The first is the header of each row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => string | number
  /** Frames the table, and shows each row as a card on a phone. */
  cards?: boolean
  /** Hides the column names in the cards from view. */
  compact?: boolean
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, cards, compact } = props
  const table = (
    <table role="table" className={classes(styles.table, cards && styles.cards, compact && styles.compact)}>
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, number }) => (
            <th key={name} role="columnheader" scope="col" data-number={number || undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)} role="row" className={styles.row}>
            {columns.map(({ name, number, unlabelled, cell }, column) =>
              column === 0 ? (
                <th key={name} role="rowheader" scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td
                  key={name}
                  role="cell"
                  data-label={unlabelled ? undefined : name}
                  data-number={number || undefined}
                >
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
  return cards ? <div className={styles.box}>{table}</div> : table
}

/** For the link or button of a row: it covers the whole row. */
export const rowLinkClass = styles.rowLink

interface LoadMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  quiet?: boolean
}

/** The button for the next page of a list, if there is one. */
export function LoadMore({ query, quiet }: LoadMoreProps) {
  const { t } = useLanguage()
  if (!query.hasNextPage) return null
  return (
    <div className={styles.more}>
      <Button
        variant={quiet ? 'quiet' : undefined}
        busy={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {t.actions.loadMore}
      </Button>
    </div>
  )
}
