import type { PurchaseRecord } from '@saleproof/schema/records'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { useKept } from '../../app/kept.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, recordErrorText } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ItemPicker, type PickedItem } from '../items/item-picker.tsx'
import { generateCode } from './generate-code.ts'
import { keptSale } from './query.ts'
import { SaleFields, saleDraft, saleValues } from './sale-fields.tsx'
import { usePurchaseTexts } from './texts.ts'

interface RecordedSale {
  code: string
  /** Whether it can be guessed. */
  isShort: boolean
}

const newDraft = () => ({ ...saleDraft({}), code: generateCode(), isPriceEdited: false })

type Draft = ReturnType<typeof newDraft>

interface SaleFormProps {
  id: string
  save: ReturnType<typeof useWorkspaceMutation<'importRecords'>>
  item: PickedItem
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  onRecorded: (sale: RecordedSale) => void
}

function SaleForm({ id, save, item, draft, onChange, onRecorded }: SaleFormProps) {
  const { t, locale } = useLanguage()
  const { data: detail } = useWorkspaceQuery('getItem', { id: String(item.id) })
  // Sent again it is the same sale.
  const [now] = useState(() => new Date().toISOString())
  const change = (changes: Partial<Draft>) => {
    save.reset()
    onChange(changes)
  }
  const form = useRef<HTMLFormElement>(null)
  // What had the focus, the list of the items, is gone.
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const texts = usePurchaseTexts().sale
  const listPrice = detail?.item.price[draft.license_type === 'Extended' ? 'extended' : 'regular']
  // Until it is edited: the price of the item.
  const sale = draft.isPriceEdited ? draft : { ...draft, price: String(listPrice ?? '') }
  const currency = detail?.item.currency ?? ''
  const code = draft.code.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const record: PurchaseRecord = {
      type: 'purchase',
      item: item.id,
      purchase_code: code,
      currency,
      downloaded: false,
      ...saleValues(sale, now),
    }
    save.mutate(
      { records: [record], only_new: true, retry: save.isError, locale },
      { onSuccess: ({ stored, warnings }) => stored && onRecorded({ code, isShort: warnings.length > 0 }) },
    )
  }
  return (
    <form id={id} ref={form} className="stack" onSubmit={submit}>
      <ErrorNotice error={save.error} />
      <p>
        <strong>{item.name}</strong>
      </p>
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
    </form>
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
  } = useKept<{ item: PickedItem; draft: Draft } | undefined>(keptSale(useWorkspace().slug), undefined)
  const save = useWorkspaceMutation('importRecords')
  const id = useId()
  const [recorded, setRecorded] = useState<RecordedSale>()
  const { recordSale, detail, sale: texts } = usePurchaseTexts()
  const close = () => {
    forget()
    onClose()
  }
  const back = () => {
    save.reset()
    discard()
  }
  const saleButtons = sale && (
    <>
      <Button onClick={back}>{texts.back}</Button>
      <Button type="submit" form={id} variant="primary" busy={save.isPending}>
        {texts.submit}
      </Button>
    </>
  )
  return (
    <Dialog
      dismissible={false}
      onClose={close}
      title={recordSale}
      footer={recorded ? <Button onClick={close}>{t.actions.close}</Button> : saleButtons}
    >
      {recorded === undefined && !sale && (
        <ItemPicker
          single
          listedOnly
          legend={t.purchases.fields.item}
          picked={[]}
          onChange={([item]) => item && set({ item, draft: newDraft() })}
        />
      )}
      {recorded === undefined && sale && (
        <SaleForm
          {...sale}
          id={id}
          save={save}
          onChange={(changes) =>
            set((previous) => previous && { ...previous, draft: { ...previous.draft, ...changes } })
          }
          onRecorded={(done) => {
            forget()
            setRecorded(done)
          }}
        />
      )}
      {recorded !== undefined && (
        <>
          <Notice tone="success">{texts.done}</Notice>
          {recorded.isShort && <Notice tone="warning">{texts.shortCode}</Notice>}
          <CodeBlock
            wrap
            label={t.purchases.fields.purchase_code}
            text={recorded.code}
            copyLabel={detail.copyCode}
          />
        </>
      )}
    </Dialog>
  )
}
