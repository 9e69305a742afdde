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
  listedOnly?: boolean | undefined
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
  // The arrow keys of a radio button only browse: a click, Enter or the space bar picks.
  const [browsed, setBrowsed] = useState(picked)
  const found = results.data?.pages.flatMap(({ items }) => items)
  const isPicked = (id: number, among = picked) => among.some((item) => item.id === id)
  const rows = [...picked, ...(found ?? []).filter(({ id }) => !isPicked(id))]
  const toggle = (item: PickedItem, checked: boolean) => {
    if (single) return setBrowsed([item])
    const others = picked.filter(({ id }) => id !== item.id)
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
          {rows.map(({ id, name: itemName }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys; a click that they make has no count.
            <label
              key={id}
              className={styles.item}
              onClick={({ detail }) => single && detail > 0 && onChange([{ id, name: itemName }])}
            >
              <input
                type={single ? 'radio' : 'checkbox'}
                name={name}
                checked={isPicked(id, single ? browsed : picked)}
                onChange={(event) => toggle({ id, name: itemName }, event.target.checked)}
                onKeyDown={(event) => {
                  if (!single || !['Enter', ' '].includes(event.key)) return
                  event.preventDefault()
                  onChange([{ id, name: itemName }])
                }}
              />
              <span>{itemName}</span>
              <small>{id}</small>
            </label>
          ))}
          {rows.length === 0 && <p className={styles.empty}>{t.items.noneFound}</p>}
          <LoadMore quiet query={results} />
        </div>
      )}
    </fieldset>
  )
}
