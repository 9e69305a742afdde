import type { ConsoleCategory } from '@saleproof/schema/console'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Search } from '../../ui/icons.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import styles from './items.module.css'
import { itemKinds, itemSorts, type useItemQuery } from './query.ts'

interface FiltersProps extends Pick<ReturnType<typeof useItemQuery>, 'query' | 'change'> {
  categories: readonly ConsoleCategory[]
}

function SearchField({ query, change }: Pick<FiltersProps, 'query' | 'change'>) {
  const { t } = useLanguage()
  const [text, setText] = useState(query.search ?? '')
  const settled = useDebouncedValue(text.trim())
  // Cleared from outside: by a button, or by going back.
  useEffect(
    () => setText((before) => (before.trim() === (query.search ?? '') ? before : (query.search ?? ''))),
    [query.search],
  )
  useEffect(() => {
    if (settled !== (query.search ?? '')) change('search', settled)
  }, [settled])
  return (
    <TextField
      className={styles.search}
      quiet
      type="search"
      icon={Search}
      label={t.items.search}
      placeholder={t.items.search}
      maxLength={100}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

export function Filters({ query, change, categories }: FiltersProps) {
  const { t, format } = useLanguage()
  return (
    <search className={styles.filters} aria-label={t.items.filters}>
      <SearchField query={query} change={change} />
      <SelectField
        quiet
        label={t.items.category}
        value={query.category ?? ''}
        onChange={(event) => change('category', event.target.value)}
      >
        <option value="">{t.items.allCategories}</option>
        {categories.map(({ category, items }) => (
          <option key={category} value={category}>
            {category} ({format.number(items)})
          </option>
        ))}
      </SelectField>
      <SelectField
        quiet
        label={t.items.kind}
        value={query.kind ?? ''}
        onChange={(event) => change('kind', event.target.value)}
      >
        <option value="">{t.items.allKinds}</option>
        {itemKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t.items.kinds[kind]}
          </option>
        ))}
      </SelectField>
      <SelectField
        quiet
        className={styles.sort}
        label={t.items.sort}
        value={query.sort ?? '-published_at'}
        onChange={(event) => change('sort', event.target.value)}
      >
        {itemSorts.map((sort) => (
          <option key={sort} value={sort}>
            {t.items.sorts[sort]}
          </option>
        ))}
      </SelectField>
    </search>
  )
}
