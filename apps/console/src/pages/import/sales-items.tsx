import type { SalesPreview } from '@saleproof/schema/console'
import { useState } from 'react'
import { useWorkspaceList } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { PickedItem } from '../items/item-picker.tsx'
import { ItemSelect } from '../items/item-select.tsx'
import { useImportTexts } from './texts.ts'

/** What an item of a file is: the id of an item, `new` for one that is created, or `''`. */
export type ItemAnswers = Readonly<Record<string, string>>

interface SalesItemsProps {
  preview: SalesPreview
  answers: ItemAnswers
  onChange: (answers: ItemAnswers) => void
}

/** Says which item each one of the file is. */
export function SalesItems({ preview, answers, onChange }: SalesItemsProps) {
  const { t, format } = useLanguage()
  const texts = useImportTexts()
  // Offered for the others too, and while the columns say that there is no item.
  const [picked, setPicked] = useState<readonly PickedItem[]>([])
  const list = useWorkspaceList('listItems', { sort: 'name' })
  const listed = list.data?.pages.flatMap(({ items }) => items) ?? []
  const found = preview.items.flatMap(({ item }) => item ?? [])
  return (
    <Card title={texts.items} description={texts.itemsText}>
      <Table
        cards
        caption={texts.items}
        rows={preview.items}
        rowKey={({ text }) => text}
        columns={[
          {
            name: texts.inFile,
            cell: ({ text, name }) => (name && name !== text ? `${name} (${text})` : text || texts.itemless),
          },
          { name: texts.rows, number: true, cell: ({ count }) => format.number(count) },
          {
            name: texts.item,
            cell: ({ text, name, item }) => (
              <ItemSelect
                hideLabel
                label={`${texts.item}: ${name || text || texts.itemless}`}
                value={item && answers[text] === 'new' ? String(item.id) : (answers[text] ?? '')}
                others={[
                  { value: '', label: t.items.chooseItem },
                  ...(text && !item ? [{ value: 'new', label: texts.newItem(name || text) }] : []),
                ]}
                items={[...listed, ...found, ...picked]}
                onValueChange={(answer) => onChange({ ...answers, [text]: answer })}
                onPick={(pick) => {
                  setPicked([...picked, pick])
                  onChange({ ...answers, [text]: String(pick.id) })
                }}
              />
            ),
          },
        ]}
      />
      {preview.more_items && <p className="muted">{texts.moreItems}</p>}
    </Card>
  )
}
