import type { SalesPreview } from '@saleproof/schema/console'
import { useWorkspaceList } from '../../api/queries.ts'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { useSalesFileTexts } from './texts.ts'

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
  const list = useWorkspaceList('listItems', { sort: 'name', limit: '100' })
  const listed = list.data?.pages.flatMap(({ items }) => items) ?? []
  const found = preview.items.flatMap(({ item }) => item ?? [])
  const items = new Map([...listed, ...found].map(({ id, name }) => [String(id), name]))
  const options = (name: string) => [
    { value: '', label: texts.noItem },
    { value: 'new', label: texts.newItem(name) },
    ...[...items].map(([id, label]) => ({ value: id, label: `${label} (${id})` })),
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
                onValueChange={(answer) => onChange({ ...answers, [text]: answer })}
              />
            ),
          },
        ]}
      />
      {preview.more_items && <p className="muted">{texts.moreItems}</p>}
    </Card>
  )
}
