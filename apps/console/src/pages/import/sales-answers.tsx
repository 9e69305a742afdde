import type { SalesChoices, SalesPreview } from '@saleproof/schema/console'
import type { SaleField } from '@saleproof/schema/sales-file'
import { useLanguage } from '../../i18n/language.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow } from '../../ui/form.tsx'
import { type Option, toOptions } from '../../ui/options.ts'
import { Card } from '../../ui/page.tsx'
import { ItemSelect } from '../items/item-select.tsx'
import { type ImportTexts, useImportTexts } from './texts.ts'

/** What is asked beside columns and items. An empty text is no answer. */
export interface Answers {
  currency: string
  license_type: string
  price: string
  item: string
  dates: SalesChoices['dates'] | ''
  time_zone: string
  codes: 'make' | 'skip' | ''
}

interface Question {
  name: keyof Answers
  label: string
  hint?: string
  options?: Option<string>[]
  /** Whether the import waits for the answer. */
  required?: boolean
}

/** What the file does not say. */
export function listQuestions(preview: SalesPreview, texts: ImportTexts): Question[] {
  const { fields, every, dateOrders, codeAnswers } = texts
  const lacks = (...columns: SaleField[]) => columns.every((column) => preview.columns[column] < 0)
  const questions: (Question | false)[] = [
    lacks('currency') && { name: 'currency', label: every(fields.currency), required: true },
    lacks('price') && { name: 'price', label: every(fields.price), required: true },
    lacks('license_type') && { name: 'license_type', label: every(fields.license_type) },
    lacks('item', 'product_id') && { name: 'item', label: every(texts.item) },
    preview.dates_unclear && {
      name: 'dates',
      label: texts.dates,
      options: toOptions(dateOrders, texts.datesUnknown),
      required: true,
    },
    preview.without_code > 0 && {
      name: 'codes',
      label: texts.codes(preview.without_code),
      options: toOptions(codeAnswers, texts.codesUnknown),
      required: true,
    },
    preview.needs_time_zone && {
      name: 'time_zone',
      label: texts.timeZone,
      hint: texts.timeZoneHint,
      required: true,
    },
  ]
  return questions.filter((question) => question !== false)
}

interface SalesAnswersProps {
  questions: readonly Question[]
  answers: Answers
  onChange: (answers: Answers) => void
}

export function SalesAnswers({ questions, answers, onChange }: SalesAnswersProps) {
  const texts = useImportTexts()
  const { chooseItem } = useLanguage().t.items
  if (questions.length === 0) return null
  return (
    <Card title={texts.answers} description={texts.answersText}>
      <FieldRow>
        {questions.map(({ name, label, hint, options }) => {
          const control = {
            label,
            hint,
            value: answers[name],
            onValueChange: (value: string) => onChange({ ...answers, [name]: value }),
          }
          if (options) return <SelectField key={name} {...control} options={options} />
          if (name !== 'item') return <TextField key={name} {...control} />
          return <ItemSelect key={name} {...control} others={[{ value: '', label: chooseItem }]} items={[]} />
        })}
      </FieldRow>
    </Card>
  )
}
