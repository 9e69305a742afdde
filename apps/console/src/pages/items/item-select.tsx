import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField } from '../../ui/field.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import type { Option } from '../../ui/options.ts'
import type { PickedItem } from './item-picker.tsx'

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
}

/** Chooses an item among some, or searches for it among all. */
export function ItemSelect({ others, items, onValueChange, ...field }: ItemSelectProps) {
  const { items: texts } = useLanguage().t
  const [searched, setSearched] = useState<PickedItem>()
  const [isSearching, setSearching] = useState(false)
  const names = new Map([...items, ...(searched ? [searched] : [])].map(({ id, name }) => [String(id), name]))
  return (
    <>
      <SelectField
        {...field}
        options={[
          ...others,
          ...[...names].map(([id, name]) => ({ value: id, label: `${name} (${id})` })),
          { value: 'search', label: texts.searchItem },
        ]}
        onValueChange={(value) => (value === 'search' ? setSearching(true) : onValueChange(value))}
      />
      {isSearching && (
        <ItemDialog
          title={texts.chooseItem}
          onPick={(item) => {
            setSearched(item)
            onValueChange(String(item.id))
            setSearching(false)
          }}
          onClose={() => setSearching(false)}
        />
      )}
    </>
  )
}
