import styles from './tiles.module.css'

interface Tile {
  name: string
  value: string
  note: string | false | null
}

/** Numbers side by side, above their chart. */
export const Tiles = ({ tiles }: { tiles: readonly Tile[] }) => (
  <dl className={styles.tiles}>
    {tiles.map(({ name, value, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {note && <small>{note}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
