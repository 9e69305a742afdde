import { ItemChooser } from '../../items/item-chooser.tsx'
import { useLanguage } from '../../language/language.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface ItemDialogProps {
  chosen: { id: number; name: string } | undefined
  onChoose: (id: string) => void
  onClose: () => void
}

export default function ItemDialog({ chosen, onChoose, onClose }: ItemDialogProps) {
  const { t } = useLanguage()
  return (
    <Dialog open onClose={onClose} title={t.purchases.chooseItem}>
      <ItemChooser
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
