import type { ItemKind } from '@saleproof/schema'
import { AudioLines, Clapperboard, Image } from '../../ui/icons.ts'
import styles from './items.module.css'

const icons = { image: Image, video: Clapperboard, audio: AudioLines } satisfies Record<ItemKind, unknown>

/** In place of a picture: those of the items lie outside this service. The name beside it says the kind. */
export function KindIcon({ kind }: { kind: ItemKind }) {
  const Icon = icons[kind]
  return (
    <span className={styles.kind} data-kind={kind} aria-hidden>
      <Icon size={20} />
    </span>
  )
}
