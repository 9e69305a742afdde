import type { ConsoleCategory } from '@saleproof/schema/console'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FilterPanel } from '../../ui/filter-panel.tsx'
import { Search } from '../../ui/icons.ts'
import { toOptions } from '../../ui/options.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import styles from './items.module.css'
import type { useItemQuery } from './query.ts'

interface FiltersProps extends Pick<ReturnType<typeof useItemQuery>, 'query' | 'change'> {
  categories: readonly ConsoleCategory[]
}

function SearchField({ query: { search = '' }, change }: Pick<FiltersProps, 'query' | 'change'>) {
  const { t } = useLanguage()
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

export function Filters({ query, change, categories }: FiltersProps) {
  const { t, format } = useLanguage()
  return (
    <div className={styles.search}>
      <SearchField query={query} change={change} />
      <FilterPanel
        className={styles.filters}
        label={t.items.filters}
        active={[query.category, query.kind, query.state].filter(Boolean).length}
      >
        <SelectField
          hideLabel
          label={t.items.category}
          value={query.category ?? ''}
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
          label={t.items.kind}
          value={query.kind ?? ''}
          options={toOptions(t.items.kinds, t.items.allKinds)}
          onValueChange={(kind) => change('kind', kind)}
        />
        <SelectField
          hideLabel
          label={t.items.state}
          value={query.state ?? ''}
          options={toOptions(t.items.states, t.items.anyState)}
          onValueChange={(state) => change('state', state)}
        />
        <SelectField
          hideLabel
          label={t.items.sort}
          value={query.sort ?? '-published_at'}
          options={toOptions(t.items.sorts)}
          onValueChange={(sort) => change('sort', sort)}
        />
      </FilterPanel>
    </div>
  )
}
