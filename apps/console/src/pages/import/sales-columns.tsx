import type { SalesPreview } from '@saleproof/schema/console'
import { type SaleField, saleFields } from '@saleproof/schema/sales-file'
import { SelectField } from '../../ui/field.tsx'
import { FieldRow } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './import.module.css'
import { useImportTexts } from './texts.ts'

/** Shown even where no column holds them. */
const main: ReadonlySet<SaleField> = new Set(['purchase_code', 'item', 'price', 'currency', 'date', 'state'])

interface SalesColumnsProps {
  preview: SalesPreview
  onChange: (columns: SalesPreview['columns']) => void
}

/** Says which column holds what, with values of it. */
export function SalesColumns({ preview, onChange }: SalesColumnsProps) {
  const texts = useImportTexts()
  const { names, samples, columns } = preview
  const options = [
    { value: '-1', label: texts.none },
    ...names.map((name, index) => ({ value: String(index), label: name || texts.column(index + 1) })),
  ]
  const fieldFor = (field: SaleField) => (
    <SelectField
      key={field}
      label={texts.fields[field]}
      hint={samples[columns[field]]?.join(' · ')}
      value={String(columns[field])}
      options={options}
      onValueChange={(index) => onChange({ ...columns, [field]: Number(index) })}
    />
  )
  const isShown = (field: SaleField) => main.has(field) || columns[field] >= 0
  return (
    <Card title={texts.columns} description={texts.columnsText}>
      <FieldRow>{saleFields.filter(isShown).map(fieldFor)}</FieldRow>
      <details className={styles.after}>
        <summary>{texts.more}</summary>
        <FieldRow>{saleFields.filter((field) => !isShown(field)).map(fieldFor)}</FieldRow>
      </details>
    </Card>
  )
}
