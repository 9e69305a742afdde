import styles from './header-list.module.css'

interface HeaderListProps {
  label: string
  headers: readonly (readonly [name: string, value: string])[]
}

/** The headers of a response. */
export const HeaderList = ({ label, headers }: HeaderListProps) => (
  <dl className={styles.headers} aria-label={label}>
    {headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
