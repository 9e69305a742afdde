import type { ReactNode } from 'react'
import styles from './description-list.module.css'

interface Entry {
  label: string
  value: ReactNode
  wide?: boolean
}

/** Labels with their values; entries without a value are left out. */
export const DescriptionList = ({ entries }: { entries: readonly Entry[] }) => (
  <dl className={styles.list}>
    {entries
      .filter(({ value }) => value !== '' && value !== null && value !== undefined)
      .map(({ label, value, wide }) => (
        <div key={label} className={wide ? styles.wide : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
