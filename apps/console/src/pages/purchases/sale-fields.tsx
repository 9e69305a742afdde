import type { ConsolePurchase } from '@saleproof/schema/console'
import type { EditablePath, PurchaseRecord, purchaseFields } from '@saleproof/schema/records'
import { isKnownLicense } from '../../app/license.ts'
import { startOfDay, toDay } from '../../i18n/dates.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { amountPattern, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { FieldRow, FormHeading } from '../../ui/form.tsx'
import { toOptions } from '../../ui/options.ts'
import styles from './purchases.module.css'
import { usePurchaseTexts } from './texts.ts'

/** The item gives its currency, and a download is no matter of the form. */
type SaleField = Exclude<EditablePath<typeof purchaseFields>, 'currency' | 'downloaded'>

/** What the controls of a sale hold. */
export type SaleDraft = Record<SaleField, string>

export const saleDraft = (sale: Partial<ConsolePurchase>): SaleDraft => ({
  license_type: sale.license_type ?? 'Regular',
  price: String(sale.price ?? ''),
  date: toDay(sale.date ?? new Date().toISOString()),
  supported_until: sale.supported_until ? toDay(sale.supported_until) : '',
  customer_name: sale.customer_name ?? '',
  customer_email: sale.customer_email ?? '',
  order: sale.order ?? '',
  note: sale.note ?? '',
})

export const saleFields = Object.keys(saleDraft({})) as SaleField[]

/** The last second of a day. */
function endOfDay(day: string): string | null {
  const next = startOfDay(day, 1)
  return next === undefined ? null : new Date(Date.parse(next) - 1000).toISOString()
}

/** The value of a field in the import format. */
export function saleValue(field: SaleField, text: string, now: string): string | null {
  if (field === 'supported_until') return endOfDay(text)
  if (field === 'date') return text === toDay(now) ? now : (startOfDay(text) ?? '')
  if (field === 'price') return text.trim().replace(',', '.')
  return text.trim() || null
}

/** All of them in the import format. */
export const saleValues = (draft: SaleDraft, now: string) =>
  // Fields that have to be there take a text as it is.
  Object.fromEntries(saleFields.map((field) => [field, saleValue(field, draft[field], now)])) as Pick<
    PurchaseRecord,
    SaleField
  >

/** So many months after the end of the support, or after today where it is over. */
function extendedBy(months: number, until: string): string {
  const today = toDay(new Date().toISOString())
  const end = new Date(`${until > today ? until : today}T12:00:00`)
  const day = end.getDate()
  end.setMonth(end.getMonth() + months)
  // A month that is shorter.
  if (end.getDate() !== day) end.setDate(0)
  return toDay(end.toISOString())
}

interface SaleFieldsProps {
  draft: SaleDraft
  currency: string
  onChange: (changes: Partial<SaleDraft>) => void
  errorOf: (field: SaleField) => string | undefined
}

export function SaleFields({ draft, currency, onChange, errorOf }: SaleFieldsProps) {
  const { t } = useLanguage()
  const { fields, licenses } = t.purchases
  const texts = usePurchaseTexts().sale
  const { license_type: license } = draft
  const control = (field: SaleField) => ({
    name: field,
    label: fields[field],
    value: draft[field],
    onValueChange: (value: string) => onChange({ [field]: value }),
    error: errorOf(field),
    // A browser would offer the customers of before.
    autoComplete: 'off',
  })
  return (
    <>
      <FieldRow>
        <SelectField
          {...control('license_type')}
          data-initial-focus
          options={toOptions(isKnownLicense(license, t) ? licenses : { ...licenses, [license]: license })}
        />
        <TextField
          {...control('price')}
          label={[fields.price, currency].filter(Boolean).join(', ')}
          inputMode="decimal"
          pattern={amountPattern}
          required
        />
      </FieldRow>
      <FieldRow>
        <TextField {...control('date')} type="date" required />
        <TextField {...control('supported_until')} type="date" label={texts.supportedUntil} />
      </FieldRow>
      <div className={styles.formActions}>
        {[6, 12].map((months) => (
          <Button
            key={months}
            small
            onClick={() => onChange({ supported_until: extendedBy(months, draft.supported_until) })}
          >
            {texts.extend(months)}
          </Button>
        ))}
      </div>
      <FormHeading title={texts.customer} description={texts.customerText} />
      <FieldRow>
        <TextField {...control('customer_name')} maxLength={255} />
        <TextField {...control('customer_email')} maxLength={255} inputMode="email" spellCheck={false} />
      </FieldRow>
      <TextField {...control('order')} maxLength={255} />
      <TextArea {...control('note')} rows={2} maxLength={2000} />
    </>
  )
}
