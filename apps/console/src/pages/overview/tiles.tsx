import { classes } from '../../ui/classes.ts'
import styles from './tiles.module.css'

interface Tile {
  name: string
  value: string
  note: string | false | null
}

/** Numbers side by side; `framed` where they stand for themselves. */
export const Tiles = ({ tiles, framed }: { tiles: readonly Tile[]; framed?: boolean }) => (
  <dl className={classes(styles.tiles, framed && styles.framed)}>
    {tiles.map(({ name, value, note }) => (
      <div key={name} className={framed ? 'surface' : undefined}>
        <dt>{name}</dt>
        <dd>
          {value}
          {note && <small>{note}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
