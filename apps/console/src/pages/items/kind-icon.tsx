import type { ItemKind } from '@saleproof/schema/constants'
import { AudioLines, Clapperboard, Image } from '../../ui/icons.ts'
import styles from './items.module.css'

const icons = { image: Image, video: Clapperboard, audio: AudioLines } satisfies Record<ItemKind, unknown>

/** Stands in for a thumbnail, which another host would serve. The kind is written next to it. */
export function KindIcon({ kind }: { kind: ItemKind }) {
  const Icon = icons[kind]
  return (
    <span className={styles.kind} data-kind={kind} aria-hidden>
      <Icon size={20} />
    </span>
  )
}
