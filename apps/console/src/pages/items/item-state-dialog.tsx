import type { ConsoleItem } from '@saleproof/schema/console'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'

interface ItemStateDialogProps {
  item: ConsoleItem
  onClose: () => void
  /** Called with the sentence that says what was done. */
  onDone: (text: string) => void
}

/** Asks before an item is withdrawn, or a withdrawn one is brought back. */
export default function ItemStateDialog({ item, onClose, onDone }: ItemStateDialogProps) {
  const { t } = useLanguage()
  const action = item.withdrawn_at ? 'restoreItem' : 'withdrawItem'
  const change = useWorkspaceMutation(action)
  const texts = t.items[action]
  return (
    <ConfirmDialog
      danger={action === 'withdrawItem'}
      onClose={onClose}
      title={texts.title(item.name)}
      action={texts.submit}
      mutation={change}
      onSubmit={() =>
        change.mutate({ id: String(item.id) }, { onSuccess: () => onDone(texts.done(item.name)) })
      }
    >
      <p>{texts.text}</p>
      <p>{t.purchases.audited}</p>
    </ConfirmDialog>
  )
}
