import type { SalesChoices, SalesPreview } from '@saleproof/schema/console'
import type { SaleField } from '@saleproof/schema/sales-file'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow } from '../../ui/form.tsx'
import { type Option, toOptions } from '../../ui/options.ts'
import { Card } from '../../ui/page.tsx'
import { type ImportTexts, useImportTexts } from './texts.ts'

/** What is asked beside columns and items. An empty text is no answer. */
export interface Answers {
  currency: string
  license_type: string
  price: string
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
  const { without } = preview
  const lacks = (column: SaleField) => preview.columns[column] < 0
  const questions: (Question | false)[] = [
    without.currency > 0 && { name: 'currency', label: every(fields.currency), required: lacks('currency') },
    lacks('price') && { name: 'price', label: every(fields.price), required: true },
    without.license_type > 0 && { name: 'license_type', label: every(fields.license_type) },
    preview.dates_unclear && {
      name: 'dates',
      label: texts.dates,
      options: toOptions(dateOrders, texts.datesUnknown),
      required: true,
    },
    without.purchase_code > 0 && {
      name: 'codes',
      label: texts.codes(without.purchase_code),
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
          return <TextField key={name} {...control} />
        })}
      </FieldRow>
    </Card>
  )
}
