import { classes } from '../../ui/classes.ts'
import styles from './tiles.module.css'

interface Tile {
  name: string
  value: string
  note: string | false | null
}

export const framedTiles = classes(styles.tiles, styles.framed)

/** Numbers side by side; `framed` where they stand for themselves. */
export const Tiles = ({ tiles, framed }: { tiles: readonly Tile[]; framed?: boolean }) => (
  <dl className={framed ? framedTiles : styles.tiles}>
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
