import { useLanguage } from '../../i18n/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ItemPicker, type PickedItem } from '../items/item-picker.tsx'
import { usePurchaseTexts } from './texts.ts'

interface ItemDialogProps {
  item: PickedItem | undefined
  onChange: (item: PickedItem | undefined) => void
  onClose: () => void
}

export default function ItemDialog({ item, onChange, onClose }: ItemDialogProps) {
  const { t } = useLanguage()
  const texts = usePurchaseTexts()
  return (
    <Dialog onClose={onClose} title={texts.chooseItem}>
      <ItemPicker
        single
        legend={t.purchases.fields.item}
        picked={item ? [item] : []}
        onChange={([picked]) => {
          onChange(picked)
          onClose()
        }}
      />
    </Dialog>
  )
}
