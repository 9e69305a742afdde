import type { SalesPreview } from '@saleproof/schema/console'
import { useState } from 'react'
import { useWorkspaceList } from '../../api/queries.ts'
import { SelectField } from '../../ui/field.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { PickedItem } from '../items/item-picker.tsx'
import { useSalesFileTexts } from './texts.ts'

const ItemDialog = lazyWithPreload(() => import('../purchases/item-dialog.tsx'))

/** What an item of a file is: the id of an item, `new` for one that is created, or `''`. */
export type ItemAnswers = Readonly<Record<string, string>>

interface SalesItemsProps {
  preview: SalesPreview
  answers: ItemAnswers
  onChange: (answers: ItemAnswers) => void
}

/** Says which item each one of the file is. */
export function SalesItems({ preview, answers, onChange }: SalesItemsProps) {
  const texts = useSalesFileTexts()
  const list = useWorkspaceList('listItems', { sort: 'name' })
  const [picked, setPicked] = useState<readonly PickedItem[]>([])
  /** What the file calls the item that is searched for. */
  const [searched, setSearched] = useState<string>()
  const listed = list.data?.pages.flatMap(({ items }) => items) ?? []
  const found = preview.items.flatMap(({ item }) => item ?? [])
  const items = new Map([...listed, ...found, ...picked].map(({ id, name }) => [String(id), name]))
  const options = (name: string) => [
    { value: '', label: texts.noItem },
    { value: 'new', label: texts.newItem(name) },
    ...[...items].map(([id, label]) => ({ value: id, label: `${label} (${id})` })),
    ...(list.hasNextPage ? [{ value: 'other', label: texts.otherItem }] : []),
  ]
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
            cell: ({ text, name }) => (name && name !== text ? `${name} (${text})` : text),
          },
          { name: texts.rows, number: true, cell: ({ count }) => count },
          {
            name: texts.item,
            cell: ({ text, name }) => (
              <SelectField
                hideLabel
                label={`${texts.item}: ${name || text}`}
                value={answers[text] ?? ''}
                options={options(name || text)}
                onValueChange={(answer) =>
                  answer === 'other' ? setSearched(text) : onChange({ ...answers, [text]: answer })
                }
              />
            ),
          },
        ]}
      />
      {searched !== undefined && (
        <ItemDialog
          item={undefined}
          onChange={(item) => {
            if (!item) return
            setPicked([...picked, item])
            onChange({ ...answers, [searched]: String(item.id) })
          }}
          onClose={() => setSearched(undefined)}
        />
      )}
      {preview.more_items && <p className="muted">{texts.moreItems}</p>}
    </Card>
  )
}
