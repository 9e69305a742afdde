import type { ConsoleCategory } from '@saleproof/schema/console'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FilterPanel } from '../../ui/filter-panel.tsx'
import { Search } from '../../ui/icons.ts'
import { toOptions } from '../../ui/options.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import styles from './items.module.css'
import { useItemFilters } from './query.ts'

function SearchField() {
  const { t } = useLanguage()
  const {
    filters: { search = '' },
    change,
  } = useItemFilters()
  const [text, setText] = useState(search)
  const debounced = useDebouncedValue(text.trim())
  // The query changes from outside too: the clear button, going back.
  useEffect(() => setText((previous) => (previous.trim() === search ? previous : search)), [search])
  useEffect(() => {
    if (debounced !== search) change('search', debounced)
  }, [debounced])
  return (
    <TextField
      hideLabel
      type="search"
      icon={Search}
      label={t.items.search}
      placeholder={t.items.search}
      maxLength={100}
      value={text}
      onValueChange={setText}
    />
  )
}

export function Filters({ categories }: { categories: readonly ConsoleCategory[] }) {
  const { t, format } = useLanguage()
  const { filters, change } = useItemFilters()
  return (
    <div className={styles.search}>
      <SearchField />
      <FilterPanel
        className={styles.filters}
        label={t.purchases.filters}
        active={[filters.category, filters.kind, filters.state].filter(Boolean).length}
      >
        <SelectField
          hideLabel
          label={t.items.fields.category}
          value={filters.category ?? ''}
          options={[
            { value: '', label: t.items.allCategories },
            ...categories.map(({ category, items }) => ({
              value: category,
              label: `${category} (${format.number(items)})`,
            })),
          ]}
          onValueChange={(category) => change('category', category)}
        />
        <SelectField
          hideLabel
          label={t.items.fields.kind}
          value={filters.kind ?? ''}
          options={toOptions(t.items.kinds, t.items.allKinds)}
          onValueChange={(kind) => change('kind', kind)}
        />
        <SelectField
          hideLabel
          label={t.purchases.fields.state}
          value={filters.state ?? ''}
          options={toOptions(t.items.states, t.purchases.anyState)}
          onValueChange={(state) => change('state', state)}
        />
        <SelectField
          hideLabel
          label={t.items.sort}
          value={filters.sort ?? '-published_at'}
          options={toOptions(t.items.sorts)}
          onValueChange={(sort) => change('sort', sort)}
        />
      </FilterPanel>
    </div>
  )
}
