import type { ConsolePurchase } from '@saleproof/schema/console'
import { useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useKept } from '../../app/kept.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { editErrorText } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { keptEdits } from './query.ts'
import { type SaleDraft, SaleFields, saleDraft, saleFields, saleValue } from './sale-fields.tsx'
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
  // Over the end of a session too, with what was read: what others changed meanwhile is a conflict.
  const { value, set, forget } = useKept<{ read: ConsolePurchase; draft: SaleDraft } | undefined>(
    keptEdits(useWorkspace().slug) + purchase.purchase_code,
    undefined,
  )
  const [isFound] = useState(value !== undefined)
  const { read, draft } = value ?? { read: purchase, draft: saleDraft(purchase) }
  const before = saleDraft(read)
  const change = (changes: Partial<SaleDraft>) => {
    save.reset()
    set({ read, draft: { ...draft, ...changes } })
  }
  const close = () => {
    forget()
    onClose()
  }
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
          if (!stored) return set({ draft, read: { ...read, ...conflicts } })
          forget()
          onSaved()
        },
      },
    )
  }
  return (
    <FormDialog
      title={usePurchaseTexts().edit.title}
      description={purchase.item.name}
      action={t.actions.save}
      mutation={save}
      onClose={close}
      onSubmit={submit}
    >
      {isFound && <Notice tone="info">{t.actions.unsaved}</Notice>}
      <SaleFields
        draft={draft}
        currency={purchase.currency}
        onChange={change}
        errorOf={(field) => editErrorText(save.data, field, t, before[field])}
      />
    </FormDialog>
  )
}
