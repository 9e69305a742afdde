import type { ReactNode } from 'react'
import styles from './description-list.module.css'

interface Fact {
  name: string
  value: ReactNode
  wide?: boolean
}

/** What is known of a thing; what has no value is left out. */
export const DescriptionList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.list}>
    {facts
      .filter(({ value }) => value !== '' && value !== null && value !== undefined)
      .map(({ name, value, wide }) => (
        <div key={name} className={wide ? styles.wide : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
