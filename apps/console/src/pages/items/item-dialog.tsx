import { useLanguage } from '../../i18n/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ItemPicker, type PickedItem } from './item-picker.tsx'

interface ItemDialogProps {
  title: string
  /** Leaves out what is withdrawn. */
  listedOnly?: boolean
  onPick: (item: PickedItem) => void
  onClose: () => void
}

/** Searches for one item. */
export default function ItemDialog({ title, listedOnly, onPick, onClose }: ItemDialogProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <ItemPicker
        single
        listedOnly={listedOnly}
        legend={useLanguage().t.purchases.fields.item}
        picked={[]}
        onChange={([item]) => item && onPick(item)}
      />
    </Dialog>
  )
}
