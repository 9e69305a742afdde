import { minCodePart } from '@saleproof/schema/console/constants'
import { type FormEvent, useState } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { isKnownLicense } from '../../app/license.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FilterPanel } from '../../ui/filter-panel.tsx'
import { Search } from '../../ui/icons.ts'
import { toOptions } from '../../ui/options.ts'
import { ItemSelect } from '../items/item-select.tsx'
import styles from './purchases.module.css'
import { usePurchaseFilters } from './query.ts'
import { usePurchaseTexts } from './texts.ts'

interface CodeSearchProps {
  text: string
  onTextChange: (text: string) => void
  onSubmit: () => void
}

/** The code is sent in a request body and never put into a URL. */
export function CodeSearch({ text, onTextChange, onSubmit }: CodeSearchProps) {
  const texts = usePurchaseTexts()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={styles.search} onSubmit={submit}>
      <TextField
        hideLabel
        code
        type="search"
        icon={Search}
        label={texts.searchLabel}
        hint={texts.searchHint(minCodePart)}
        placeholder={texts.searchPlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onValueChange={onTextChange}
      />
      <Button type="submit">{texts.search}</Button>
    </form>
  )
}

interface ItemFilterProps {
  /** Undefined for all items. */
  id: number | undefined
  onChange: (id: string) => void
}

function ItemFilter({ id, onChange }: ItemFilterProps) {
  const { t } = useLanguage()
  const texts = usePurchaseTexts()
  const { data } = useWorkspaceQuery('getItem', { id: String(id) }, { enabled: id !== undefined })
  return (
    <ItemSelect
      label={t.purchases.fields.item}
      value={String(id ?? '')}
      others={[{ value: '', label: texts.allItems }]}
      items={id === undefined ? [] : [{ id, name: data?.item.name ?? t.purchases.fields.item }]}
      onValueChange={onChange}
      onPick={(item) => onChange(String(item.id))}
    />
  )
}

const otherLicense = 'other'

/** The known licenses, or a name that an import made up. */
function LicenseFilter({ license, onChange }: { license: string; onChange: (license: string) => void }) {
  const { t } = useLanguage()
  const texts = usePurchaseTexts()
  const [isNaming, setNaming] = useState(false)
  const isOther = license === '' ? isNaming : !isKnownLicense(license, t)
  const choose = (value: string) => {
    setNaming(value === otherLicense)
    onChange(value === otherLicense ? '' : value)
  }
  return (
    <>
      <SelectField
        label={t.purchases.fields.license_type}
        value={isOther ? otherLicense : license}
        options={toOptions({ ...t.purchases.licenses, [otherLicense]: texts.otherLicense }, texts.anyLicense)}
        onValueChange={choose}
      />
      {isOther && (
        <TextField label={texts.licenseName} maxLength={255} value={license} onValueChange={onChange} />
      )}
    </>
  )
}

export function Filters() {
  const { t } = useLanguage()
  const { filters, change } = usePurchaseFilters()
  const texts = usePurchaseTexts()
  return (
    <FilterPanel className={styles.filters} label={t.purchases.filters} active={Object.keys(filters).length}>
      <ItemFilter id={Number(filters.item) || undefined} onChange={(id) => change('item', id)} />
      <LicenseFilter license={filters.license ?? ''} onChange={(license) => change('license', license)} />
      <SelectField
        label={t.purchases.fields.state}
        value={filters.state ?? ''}
        options={toOptions(t.purchases.states, t.purchases.anyState)}
        onValueChange={(state) => change('state', state)}
      />
      <TextField
        type="date"
        label={texts.from}
        value={filters.from ?? ''}
        onValueChange={(from) => change('from', from)}
      />
      <TextField
        type="date"
        label={texts.to}
        value={filters.to ?? ''}
        onValueChange={(to) => change('to', to)}
      />
    </FilterPanel>
  )
}
