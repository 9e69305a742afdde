import type { ConsolePurchase } from '@saleproof/schema/console'
import { useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { editErrorText } from '../../ui/error-state.tsx'
import { useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
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
  // Over the end of a session too, with what was read: what others changed meanwhile is a conflict.
  const {
    draft: { read, ...draft },
    change,
    update,
    forget,
  } = useDraft({ ...saleDraft(purchase), read: purchase }, save.reset, [
    'edit',
    useWorkspace().slug,
    purchase.purchase_code,
  ])
  const before = saleDraft(read)
  const touched = saleFields.filter((field) => draft[field] !== before[field])
  const [isFound] = useState(touched.length > 0)
  const close = () => {
    forget()
    onClose()
  }
  const submit = () => {
    const now = new Date().toISOString()
    save.mutate(
      {
        purchase_code: purchase.purchase_code,
        changes: Object.fromEntries(touched.map((field) => [field, saleValue(field, draft[field], now)])),
        before: Object.fromEntries(touched.map((field) => [field, read[field]])),
        locale,
      },
      {
        onSuccess: ({ stored, conflicts }) => {
          if (!stored) return update({ read: { ...read, ...conflicts } })
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
