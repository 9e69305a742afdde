import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import type { KnownLicense } from '../../app/license.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, recordErrorText } from '../../ui/error-state.tsx'
import { amountPattern, SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow, useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toOptions } from '../../ui/options.ts'
import { ItemPicker, type PickedItem } from '../items/item-picker.tsx'
import { generateCode } from './generate-code.ts'
import styles from './purchases.module.css'

interface Draft {
  license: KnownLicense
  /** Until it is edited: the price of the item. */
  price: string | undefined
  /** Until it is edited: a generated code. */
  code: string
  supportedUntil: string
}

interface SaleFormProps {
  item: PickedItem
  onBack: () => void
  onRecorded: (code: string) => void
}

function SaleForm({ item, onBack, onRecorded }: SaleFormProps) {
  const { t, locale } = useLanguage()
  const save = useWorkspaceMutation('importRecords')
  const { data: detail } = useWorkspaceQuery('getItem', { id: String(item.id) })
  const [initial] = useState(
    (): Draft => ({ license: 'Regular', price: undefined, code: generateCode(), supportedUntil: '' }),
  )
  const { draft, change } = useDraft(initial, save.reset)
  const form = useRef<HTMLFormElement>(null)
  // What had the focus, the list of the items, is gone.
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const texts = t.purchases.sale
  const listPrice = detail?.item.price[draft.license === 'Extended' ? 'extended' : 'regular']
  const price = draft.price ?? String(listPrice ?? '')
  const currency = detail?.item.currency ?? ''
  const code = draft.code.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const record = {
      type: 'purchase' as const,
      item: item.id,
      purchase_code: code,
      license_type: draft.license,
      price: price.trim().replace(',', '.'),
      currency,
      downloaded: false,
      date: new Date().toISOString(),
      ...(draft.supportedUntil && { supported_until: `${draft.supportedUntil}T23:59:59Z` }),
    }
    save.mutate(
      { records: [record], only_new: true, locale },
      { onSuccess: ({ stored }) => stored && onRecorded(code) },
    )
  }
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <ErrorNotice error={save.error} />
      <p>
        <strong>{item.name}</strong>
      </p>
      <FieldRow>
        <SelectField
          label={t.purchases.fields.license_type}
          value={draft.license}
          options={toOptions(t.purchases.licenses)}
          onValueChange={(license) => change({ license, price: undefined })}
        />
        <TextField
          label={[t.purchases.fields.price, currency].filter(Boolean).join(', ')}
          name="price"
          inputMode="decimal"
          pattern={amountPattern}
          required
          value={price}
          onValueChange={(value) => change({ price: value })}
          error={recordErrorText(save.data, 'price')}
        />
      </FieldRow>
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
      <TextField
        type="date"
        label={texts.supportedUntil}
        value={draft.supportedUntil}
        onValueChange={(supportedUntil) => change({ supportedUntil })}
        error={recordErrorText(save.data, 'supported_until')}
      />
      <div className={styles.formActions}>
        <Button onClick={onBack}>{texts.back}</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {texts.submit}
        </Button>
      </div>
    </form>
  )
}

/** Records a sale that was made elsewhere: the item first, then what was sold of it. */
export default function RecordSaleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage()
  const [item, setItem] = useState<PickedItem>()
  const [recorded, setRecorded] = useState<string>()
  const texts = t.purchases.sale
  return (
    <Dialog dismissible={false} onClose={onClose} title={texts.title}>
      {recorded === undefined && !item && (
        <ItemPicker
          single
          listedOnly
          legend={t.purchases.fields.item}
          picked={[]}
          onChange={([picked]) => setItem(picked)}
        />
      )}
      {recorded === undefined && item && (
        <SaleForm item={item} onBack={() => setItem(undefined)} onRecorded={setRecorded} />
      )}
      {recorded !== undefined && (
        <>
          <Notice tone="success" live takesFocus>
            {texts.done}
          </Notice>
          <div className={styles.ticket}>
            <code>{recorded}</code>
            <CopyButton text={recorded} label={t.purchases.detail.copyCode} />
          </div>
          <div className={styles.formActions}>
            <Button onClick={onClose}>{t.actions.close}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
