import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Search } from '../../ui/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import type { Option } from '../../ui/options.ts'
import type { PickedItem } from './item-picker.tsx'
import styles from './item-select.module.css'

const ItemDialog = lazyWithPreload(() => import('./item-dialog.tsx'))

interface ItemSelectProps {
  label: string
  hideLabel?: boolean
  /** What can be chosen in place of an item. */
  others: readonly Option<string>[]
  /** The items that can be chosen without a search. */
  items: readonly PickedItem[]
  /** The id of an item, or another choice. */
  value: string
  onValueChange: (value: string) => void
  /** An item that was searched for. */
  onPick: (item: PickedItem) => void
}

/** Chooses an item among some, or searches for it among all. */
export function ItemSelect({ others, items, onPick, ...field }: ItemSelectProps) {
  const { items: texts } = useLanguage().t
  const [isSearching, setSearching] = useState(false)
  const names = new Map(items.map(({ id, name }) => [String(id), name]))
  return (
    <>
      <div className={styles.select}>
        <SelectField
          {...field}
          options={[...others, ...[...names].map(([id, name]) => ({ value: id, label: `${name} (${id})` }))]}
        />
        {/* Not an option: where a list is closed, the arrow keys choose. */}
        <Button iconOnly aria-label={texts.searchItem} onClick={() => setSearching(true)}>
          <Search size={18} aria-hidden />
        </Button>
      </div>
      {isSearching && (
        <ItemDialog
          title={texts.chooseItem}
          onPick={(item) => {
            onPick(item)
            setSearching(false)
          }}
          onClose={() => setSearching(false)}
        />
      )}
    </>
  )
}
