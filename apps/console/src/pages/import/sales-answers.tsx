import type { SalesChoices, SalesPreview } from '@saleproof/schema/console'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FieldRow } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { useSalesFileTexts } from './texts.ts'

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

interface SalesAnswersProps {
  preview: SalesPreview
  answers: Answers
  onChange: (answers: Answers) => void
}

/** Asks for what the file does not say. */
export function SalesAnswers({ preview, answers, onChange }: SalesAnswersProps) {
  const texts = useSalesFileTexts()
  const { columns } = preview
  const change = (changes: Partial<Answers>) => onChange({ ...answers, ...changes })
  const asked = (['currency', 'price', 'license_type'] as const).filter((field) => columns[field] < 0)
  const isItemAsked = columns.item < 0 && columns.product_id < 0
  const isMoreAsked = preview.dates_unclear || preview.without_code > 0 || preview.needs_time_zone
  if (asked.length === 0 && !isItemAsked && !isMoreAsked) return null
  return (
    <Card title={texts.answers} description={texts.answersText}>
      <FieldRow>
        {asked.map((field) => (
          <TextField
            key={field}
            label={texts.every(texts.fields[field])}
            value={answers[field]}
            onValueChange={(value) => change({ [field]: value })}
          />
        ))}
        {isItemAsked && (
          <TextField
            label={texts.every(texts.itemId)}
            inputMode="numeric"
            value={answers.item}
            onValueChange={(item) => change({ item })}
          />
        )}
        {preview.dates_unclear && (
          <SelectField
            label={texts.dates}
            value={answers.dates}
            options={[
              { value: '', label: texts.datesUnknown },
              { value: 'dmy', label: texts.dateOrders.dmy },
              { value: 'mdy', label: texts.dateOrders.mdy },
            ]}
            onValueChange={(dates) => change({ dates })}
          />
        )}
        {preview.without_code > 0 && (
          <SelectField
            label={texts.codes(preview.without_code)}
            value={answers.codes}
            options={[
              { value: '', label: texts.codesUnknown },
              { value: 'make', label: texts.codeAnswers.make },
              { value: 'skip', label: texts.codeAnswers.skip },
            ]}
            onValueChange={(codes) => change({ codes })}
          />
        )}
        {preview.needs_time_zone && (
          <TextField
            label={texts.timeZone}
            hint={texts.timeZoneHint}
            value={answers.time_zone}
            onValueChange={(zone) => change({ time_zone: zone })}
          />
        )}
      </FieldRow>
    </Card>
  )
}
