import { useId, useState } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { isKnownLicense } from '../../app/license.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FilterPanel } from '../../ui/filter-panel.tsx'
import { ChevronDown, X } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { toOptions } from '../../ui/options.ts'
import styles from './purchases.module.css'
import { usePurchaseFilters } from './query.ts'
import { usePurchaseTexts } from './texts.ts'

const ItemDialog = lazyWithPreload(() => import('./item-dialog.tsx'))

interface ItemFilterProps {
  /** Undefined for all items. */
  id: number | undefined
  onChange: (id: string) => void
}

function ItemFilter({ id, onChange }: ItemFilterProps) {
  const { t } = useLanguage()
  const texts = usePurchaseTexts()
  const { data } = useWorkspaceQuery('getItem', { id: String(id) }, { enabled: id !== undefined })
  const item = id === undefined ? undefined : { id, name: data?.item.name ?? texts.itemNumber(id) }
  const [isOpen, setOpen] = useState(false)
  const labelId = useId()
  const buttonId = useId()
  return (
    <div className={styles.itemFilter}>
      <span id={labelId}>{t.purchases.fields.item}</span>
      <div>
        <Button id={buttonId} aria-labelledby={`${labelId} ${buttonId}`} onClick={() => setOpen(true)}>
          <span>{item?.name ?? texts.allItems}</span>
          <ChevronDown size={16} aria-hidden />
        </Button>
        {item && (
          <Button iconOnly variant="quiet" aria-label={texts.allItems} onClick={() => onChange('')}>
            <X size={18} aria-hidden />
          </Button>
        )}
      </div>
      {isOpen && (
        <ItemDialog
          item={item}
          onChange={(picked) => onChange(picked ? String(picked.id) : '')}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
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
        options={toOptions(t.purchases.states, texts.anyState)}
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
