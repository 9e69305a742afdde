import {
  requiredSaleFields,
  type SaleMapping,
  type SalesRow,
  type SalesTable,
  saleFields,
} from '@saleproof/schema/sales-file'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

interface ColumnMappingProps {
  table: SalesTable
  mapping: SaleMapping
  /** The item of every row, where no column names it. */
  defaultItem: string
  onMappingChange: (mapping: SaleMapping) => void
  onDefaultItemChange: (item: string) => void
}

const previewRows = 5

/** Says which column holds which field, with the first rows as they will be read. */
export function ColumnMapping(props: ColumnMappingProps) {
  const { table, mapping, defaultItem, onMappingChange, onDefaultItemChange } = props
  const { t } = useLanguage()
  const texts = t.records
  const labels = { ...t.purchases.fields, item: texts.itemId }
  const columns = [
    { value: '-1', label: texts.noColumn },
    ...table.columns.map((name, index) => ({ value: String(index), label: name || texts.column(index + 1) })),
  ]
  const mapped = saleFields.filter((field) => mapping[field] >= 0)
  return (
    <>
      <Card title={texts.mapping} description={texts.mappingText}>
        <FieldRow>
          {saleFields.map((field) => (
            <SelectField
              key={field}
              label={requiredSaleFields.has(field) ? texts.required(labels[field]) : labels[field]}
              value={String(mapping[field])}
              options={columns}
              onValueChange={(index) => onMappingChange({ ...mapping, [field]: Number(index) })}
            />
          ))}
          {mapping.item < 0 && (
            <TextField
              label={texts.defaultItem}
              hint={texts.defaultItemHint}
              inputMode="numeric"
              value={defaultItem}
              onValueChange={onDefaultItemChange}
            />
          )}
        </FieldRow>
      </Card>
      {mapped.length > 0 && table.rows.length > 0 && (
        <Card title={texts.preview}>
          <Table
            cards
            compact
            caption={texts.preview}
            rows={table.rows.slice(0, previewRows)}
            rowKey={({ line }) => line}
            columns={[
              { name: texts.columns.line, cell: ({ line }) => line },
              ...mapped.map((field) => ({
                name: labels[field],
                cell: ({ cells }: SalesRow) => cells[mapping[field]],
              })),
            ]}
          />
        </Card>
      )}
    </>
  )
}
