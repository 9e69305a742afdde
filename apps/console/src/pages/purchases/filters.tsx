import { useId, useState } from 'react'
import { useItem } from '../../api/items.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ChevronDown, X } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import styles from './purchases.module.css'
import { type PurchaseFilters, purchaseStates } from './query.ts'

const ItemDialog = lazyWithPreload(() => import('./item-dialog.tsx'))

interface FiltersProps {
  filters: PurchaseFilters
  change: (name: keyof PurchaseFilters, value: string) => void
}

interface ItemFilterProps {
  /** `undefined` for all items. */
  id: number | undefined
  onChoose: (id: string) => void
}

/** The item that is chosen, with its name as soon as that is known. */
function useChosenItem(id: number | undefined) {
  const { t } = useLanguage()
  const { data } = useItem(id === undefined ? undefined : String(id))
  return id === undefined ? undefined : { id, name: data?.item.name ?? t.purchases.itemNumber(id) }
}

function ItemFilter({ id, onChoose }: ItemFilterProps) {
  const { t } = useLanguage()
  const chosen = useChosenItem(id)
  const [open, setOpen] = useState(false)
  const label = useId()
  const button = useId()
  return (
    <div className={styles.itemFilter}>
      <span id={label}>{t.purchases.item}</span>
      <div>
        <Button id={button} aria-labelledby={`${label} ${button}`} onClick={() => setOpen(true)}>
          <span>{chosen?.name ?? t.purchases.allItems}</span>
          <ChevronDown size={16} aria-hidden />
        </Button>
        {chosen && (
          <Button icon variant="quiet" aria-label={t.purchases.allItems} onClick={() => onChoose('')}>
            <X size={18} aria-hidden />
          </Button>
        )}
      </div>
      {open && <ItemDialog chosen={chosen} onChoose={onChoose} onClose={() => setOpen(false)} />}
    </div>
  )
}

export function Filters({ filters, change }: FiltersProps) {
  const { t } = useLanguage()
  const licenses = useId()
  return (
    <search className={styles.filters} aria-label={t.purchases.filters}>
      <ItemFilter id={Number(filters.item) || undefined} onChoose={(id) => change('item', id)} />
      <TextField
        label={t.purchases.license}
        placeholder={t.purchases.anyLicense}
        list={licenses}
        maxLength={255}
        value={filters.license}
        onChange={(event) => change('license', event.target.value)}
      />
      <datalist id={licenses}>
        <option value="Regular" />
        <option value="Extended" />
      </datalist>
      <SelectField
        label={t.purchases.state}
        value={filters.state}
        onChange={(event) => change('state', event.target.value)}
      >
        <option value="">{t.purchases.anyState}</option>
        {purchaseStates.map((state) => (
          <option key={state} value={state}>
            {t.purchases.states[state]}
          </option>
        ))}
      </SelectField>
      <TextField
        type="date"
        label={t.purchases.from}
        value={filters.from}
        onChange={(event) => change('from', event.target.value)}
      />
      <TextField
        type="date"
        label={t.purchases.to}
        value={filters.to}
        onChange={(event) => change('to', event.target.value)}
      />
    </search>
  )
}
