import { useLanguage } from '../../i18n/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ItemPicker } from '../items/item-picker.tsx'

interface ItemDialogProps {
  chosen: { id: number; name: string } | undefined
  onChoose: (id: string) => void
  onClose: () => void
}

export default function ItemDialog({ chosen, onChoose, onClose }: ItemDialogProps) {
  const { t } = useLanguage()
  return (
    <Dialog open onClose={onClose} title={t.purchases.chooseItem}>
      <ItemPicker
        single
        legend={t.purchases.item}
        chosen={chosen ? [chosen] : []}
        onChange={([item]) => {
          onChoose(item ? String(item.id) : '')
          onClose()
        }}
      />
    </Dialog>
  )
}
