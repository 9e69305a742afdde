import type { PurchaseRecord } from '@saleproof/schema/records'
import { useState } from 'react'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { useKept } from '../../app/kept.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { recordErrorText } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import ItemDialog from '../items/item-dialog.tsx'
import type { PickedItem } from '../items/item-picker.tsx'
import { generateCode } from './generate-code.ts'
import { SaleFields, saleDraft, saleValues } from './sale-fields.tsx'
import { usePurchaseTexts } from './texts.ts'

interface RecordedSale {
  code: string
  /** Whether it can be guessed. */
  isShort: boolean
}

const newDraft = () => ({ ...saleDraft({}), code: generateCode(), isPriceEdited: false })

type Draft = ReturnType<typeof newDraft>

interface SaleDialogProps {
  item: PickedItem
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  /** Chooses the item again. */
  onBack: () => void
  onClose: () => void
  onRecorded: (sale: RecordedSale) => void
}

function SaleDialog({ item, draft, onChange, onBack, onClose, onRecorded }: SaleDialogProps) {
  const { t, locale } = useLanguage()
  const save = useWorkspaceMutation('importRecords')
  const { data: detail } = useWorkspaceQuery('getItem', { id: String(item.id) })
  // Sent again it is the same sale.
  const [now] = useState(() => new Date().toISOString())
  const change = (changes: Partial<Draft>) => {
    save.reset()
    onChange(changes)
  }
  const { recordSale, sale: texts } = usePurchaseTexts()
  const listPrice = detail?.item.price[draft.license_type === 'Extended' ? 'extended' : 'regular']
  // Until it is edited: the price of the item.
  const sale = draft.isPriceEdited ? draft : { ...draft, price: String(listPrice ?? '') }
  const currency = detail?.item.currency ?? ''
  const code = draft.code.trim()
  const submit = () => {
    const record: PurchaseRecord = {
      type: 'purchase',
      item: item.id,
      purchase_code: code,
      currency,
      downloaded: false,
      ...saleValues(sale, now),
    }
    save.mutate(
      { records: [record], only_new: true, locale },
      { onSuccess: ({ stored, warnings }) => stored && onRecorded({ code, isShort: warnings.length > 0 }) },
    )
  }
  return (
    <FormDialog
      title={recordSale}
      description={item.name}
      action={texts.submit}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
    >
      <div>
        <Button small onClick={onBack}>
          {texts.back}
        </Button>
      </div>
      <TextField
        code
        label={t.purchases.fields.purchase_code}
        hint={texts.codeHint}
        name="code"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        value={draft.code}
        onValueChange={(value) => change({ code: value })}
        error={recordErrorText(save.data, 'purchase_code')}
      />
      <SaleFields
        draft={sale}
        currency={currency}
        onChange={(changes) =>
          change({
            ...changes,
            ...('price' in changes && { isPriceEdited: true }),
            ...('license_type' in changes && { isPriceEdited: false }),
          })
        }
        errorOf={(field) => recordErrorText(save.data, field)}
      />
    </FormDialog>
  )
}

/** Records a sale that was made elsewhere: the item first, then what was sold of it. */
export default function RecordSaleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage()
  // Not as the draft of a page, which a reload stores: it has a purchase code.
  const {
    value: sale,
    set,
    forget,
    discard,
  } = useKept<{ item: PickedItem; draft: Draft } | undefined>(['sale', useWorkspace().slug], undefined)
  const [recorded, setRecorded] = useState<RecordedSale>()
  const { recordSale, detail, sale: texts } = usePurchaseTexts()
  const close = () => {
    forget()
    onClose()
  }
  if (!sale)
    return (
      <ItemDialog
        listedOnly
        title={recordSale}
        onPick={(item) => set({ item, draft: newDraft() })}
        onClose={close}
      />
    )
  if (!recorded)
    return (
      <SaleDialog
        {...sale}
        onChange={(changes) =>
          set((previous) => previous && { ...previous, draft: { ...previous.draft, ...changes } })
        }
        onBack={discard}
        onClose={close}
        onRecorded={(done) => {
          forget()
          setRecorded(done)
        }}
      />
    )
  return (
    <Dialog
      dismissible={false}
      onClose={onClose}
      title={recordSale}
      footer={<Button onClick={onClose}>{t.actions.close}</Button>}
    >
      <Notice tone="success">{texts.done}</Notice>
      {recorded.isShort && <Notice tone="warning">{texts.shortCode}</Notice>}
      <CodeBlock
        wrap
        label={t.purchases.fields.purchase_code}
        text={recorded.code}
        copyLabel={detail.copyCode}
      />
    </Dialog>
  )
}
