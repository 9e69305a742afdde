import { useId, useState } from 'react'
import { useWorkspaceList } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Search } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { LoadMore } from '../../ui/table.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import styles from './item-picker.module.css'

export interface PickedItem {
  id: number
  name: string
}

interface ItemPickerProps {
  legend: string
  hint?: string
  /** Picks one item instead of several. */
  single?: boolean
  /** Leaves out what is withdrawn. */
  listedOnly?: boolean
  picked: readonly PickedItem[]
  onChange: (picked: readonly PickedItem[]) => void
}

/** Searches the items of the workspace and picks among them. Picked items stay visible during a search. */
export function ItemPicker({ legend, hint, single, listedOnly, picked, onChange }: ItemPickerProps) {
  const { t } = useLanguage()
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim())
  const results = useWorkspaceList('listItems', {
    ...(search && { search }),
    ...(listedOnly && { state: 'listed' }),
  })
  const name = useId()
  const found = results.data?.pages.flatMap(({ items }) => items)
  const isPicked = (id: number) => picked.some((item) => item.id === id)
  const rows = [...picked, ...(found ?? []).filter(({ id }) => !isPicked(id))]
  const toggle = (item: PickedItem, checked: boolean) => {
    const others = single ? [] : picked.filter(({ id }) => id !== item.id)
    onChange(checked ? [...others, item] : others)
  }

  return (
    <fieldset className={styles.picker}>
      <legend>{legend}</legend>
      {hint && <p className="muted">{hint}</p>}
      <TextField
        hideLabel
        type="search"
        icon={Search}
        label={t.items.search}
        placeholder={t.items.search}
        value={text}
        onValueChange={setText}
      />
      <ErrorNotice error={results.error} />
      {!found && !results.error && <Skeleton height="8rem" />}
      {found && (
        <div className={styles.list}>
          {rows.map((item) => (
            <label key={item.id} className={styles.item}>
              <input
                type={single ? 'radio' : 'checkbox'}
                name={name}
                checked={isPicked(item.id)}
                onChange={(event) => toggle({ id: item.id, name: item.name }, event.target.checked)}
              />
              <span>{item.name}</span>
              <small>{item.id}</small>
            </label>
          ))}
          {rows.length === 0 && <p className={styles.empty}>{t.items.noneFound}</p>}
          <LoadMore quiet query={results} />
        </div>
      )}
    </fieldset>
  )
}
