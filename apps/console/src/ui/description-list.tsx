import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './description-list.module.css'

interface Entry {
  label: string
  value: ReactNode
  /** Shown below the value. */
  note?: ReactNode
  wide?: boolean
}

interface DescriptionListProps {
  entries: readonly Entry[]
  /** Shows the values large. */
  figures?: boolean
}

/** Labels with their values; entries without a value are left out. */
export const DescriptionList = ({ entries, figures }: DescriptionListProps) => (
  <dl className={classes(styles.list, figures && styles.figures)}>
    {entries
      .filter(({ value }) => value !== '' && value !== null && value !== undefined)
      .map(({ label, value, note, wide }) => (
        <div key={label} className={wide ? styles.wide : undefined}>
          <dt>{label}</dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
  </dl>
)
