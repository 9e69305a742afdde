import type { ConsolePurchase } from '@saleproof/schema/console'
import { useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { ErrorNotice, editErrorText } from '../../ui/error-state.tsx'
import { useDraft } from '../../ui/form.tsx'
import { SaleFields, saleDraft, saleFields, saleValue } from './sale-fields.tsx'
import { usePurchaseTexts } from './texts.ts'

interface EditPurchaseDialogProps {
  purchase: ConsolePurchase
  onClose: () => void
  onSaved: () => void
}

/** Sends the fields that were touched, with what they held when the dialog was opened. */
export default function EditPurchaseDialog({ purchase, onClose, onSaved }: EditPurchaseDialogProps) {
  const { t, locale } = useLanguage()
  const save = useWorkspaceMutation('editPurchase')
  const [read, setRead] = useState(purchase)
  const [initial] = useState(() => saleDraft(purchase))
  const { draft, change } = useDraft(initial, save.reset)
  const before = saleDraft(read)
  const submit = () => {
    const now = new Date().toISOString()
    const touched = saleFields.filter((field) => draft[field] !== before[field])
    save.mutate(
      {
        purchase_code: purchase.purchase_code,
        changes: Object.fromEntries(touched.map((field) => [field, saleValue(field, draft[field], now)])),
        before: Object.fromEntries(touched.map((field) => [field, read[field]])),
        locale,
      },
      {
        onSuccess: ({ stored, conflicts }) => {
          if (stored) onSaved()
          else setRead({ ...read, ...conflicts })
        },
      },
    )
  }
  return (
    <FormDialog
      title={usePurchaseTexts().edit.title}
      description={purchase.item.name}
      action={t.actions.save}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <ErrorNotice error={save.error} />
      <SaleFields
        draft={draft}
        currency={purchase.currency}
        onChange={change}
        errorOf={(field) => editErrorText(save.data, field, t, before[field])}
      />
    </FormDialog>
  )
}
