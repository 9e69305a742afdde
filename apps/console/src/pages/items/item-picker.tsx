import { useId, useState } from 'react'
import { useItems } from '../../api/items.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Search } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import styles from './item-picker.module.css'

interface Chosen {
  id: number
  name: string
}

interface ItemPickerProps {
  legend: string
  hint?: string
  /** One item alone, or any number of them. */
  single?: boolean
  chosen: readonly Chosen[]
  onChange: (chosen: readonly Chosen[]) => void
}

/** Finds items of the workspace and chooses among them. What is chosen stays in sight, whatever is looked for. */
export function ItemPicker({ legend, hint, single, chosen, onChange }: ItemPickerProps) {
  const { t } = useLanguage()
  const [search, setSearch] = useState('')
  const sought = useDebouncedValue(search.trim())
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useItems(
    sought ? { search: sought } : {},
  )
  const name = useId()
  const found = data?.pages.flatMap(({ items }) => items)
  const others = found?.filter(({ id }) => !chosen.some((one) => one.id === id)) ?? []
  const toggle = (item: Chosen, on: boolean) =>
    onChange(on ? (single ? [item] : [...chosen, item]) : chosen.filter(({ id }) => id !== item.id))

  return (
    <fieldset className={styles.chooser}>
      <legend>{legend}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      <TextField
        quiet
        type="search"
        icon={Search}
        label={t.items.search}
        placeholder={t.items.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {error && <Notice tone="bad">{errorText(error, t)}</Notice>}
      {!found && !error && <Skeleton height="8rem" />}
      {found && (
        <div className={styles.list}>
          {[...chosen, ...others].map(({ id, name: text }) => (
            <label key={id} className={styles.item}>
              <input
                type={single ? 'radio' : 'checkbox'}
                name={name}
                checked={chosen.some((one) => one.id === id)}
                onChange={(event) => toggle({ id, name: text }, event.target.checked)}
              />
              <span>{text}</span>
              <small>{id}</small>
            </label>
          ))}
          {chosen.length + others.length === 0 && <p className={styles.empty}>{t.items.noneFound}</p>}
          {hasNextPage && (
            <Button variant="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t.actions.loadMore}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}
