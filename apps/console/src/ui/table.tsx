// biome-ignore-all lint/a11y/noRedundantRoles: some browsers drop them when CSS changes the layout of a table.
import type { ReactNode } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './table.module.css'

interface TableProps {
  /** For screen readers. */
  caption: string
  columns: readonly { name: string; number?: boolean }[]
  children: ReactNode
  /** Frames the table, and shows each row as a card on a phone. */
  cards?: boolean
  /** Hides the column names in the cards from view. */
  compact?: boolean
}

export function Table({ caption, columns, children, cards, compact }: TableProps) {
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
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
  return cards ? <div className={styles.box}>{table}</div> : table
}

/** For the link or button of a row: it covers the whole row. */
export const rowLinkClass = styles.rowLink

interface RowProps {
  /** Whether it belongs to the row above. */
  continues?: boolean
  children: ReactNode
}

export const Row = ({ continues, children }: RowProps) => (
  <tr role="row" className={styles.row} data-continues={continues || undefined}>
    {children}
  </tr>
)

export const RowHeader = ({ children }: { children: ReactNode }) => (
  <th role="rowheader" scope="row">
    {children}
  </th>
)

interface CellProps {
  /** The column's name, shown in the card layout. */
  label?: string
  number?: boolean
  children: ReactNode
}

export const Cell = ({ label, number, children }: CellProps) => (
  <td role="cell" data-label={label} data-number={number || undefined}>
    {children}
  </td>
)

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
