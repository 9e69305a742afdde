// biome-ignore-all lint/a11y/noRedundantRoles: some browsers forget them where the layout is not that of a table.
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './table.module.css'

interface TableProps {
  /** What is in it, for those who hear the page. */
  caption: string
  columns: readonly { name: string; number?: boolean }[]
  children: ReactNode
  /** On a phone each row becomes a card; without, the table scrolls. */
  cards?: boolean
  /** The cards say the names of the columns to those alone who hear them: the values speak for themselves. */
  compact?: boolean
}

/** With roles, since what is laid out as cards is no table to some browsers any more. */
export const Table = ({ caption, columns, children, cards, compact }: TableProps) => (
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

interface CellProps {
  /** The name of its column, seen where the columns are not. */
  label?: string
  number?: boolean
  children: ReactNode
}

export const Row = ({ children }: { children: ReactNode }) => (
  <tr role="row" className={styles.row}>
    {children}
  </tr>
)

export const Cell = ({ label, number, children }: CellProps) => (
  <td role="cell" data-label={label} data-number={number || undefined}>
    {children}
  </td>
)

/** What the row is about. */
export const HeadCell = ({ children }: { children: ReactNode }) => (
  <th role="rowheader" scope="row">
    {children}
  </th>
)

export { styles as tableStyles }
