import { useLanguage } from '../../i18n/language.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toOptions } from '../../ui/options.ts'
import type { Ending } from './expiry.ts'

interface EndFieldsProps<Choice extends Ending> {
  label: string
  hint?: string | null
  labels: Readonly<Record<Choice, string>>
  draft: { ending: Choice; day: string }
  onChange: (changes: { ending?: Choice; day?: string }) => void
  /** What is wrong with the day. */
  error: string | undefined
}

/** When a key ends. */
export function EndFields<Choice extends Ending>(props: EndFieldsProps<Choice>) {
  const { label, hint, labels, draft, onChange, error } = props
  const { t } = useLanguage()
  return (
    <>
      <SelectField
        label={label}
        hint={hint}
        value={draft.ending}
        options={toOptions(labels)}
        onValueChange={(ending) => onChange({ ending })}
      />
      {draft.ending === 'day' && (
        <TextField
          type="date"
          label={t.keys.form.day}
          required
          value={draft.day}
          onValueChange={(day) => onChange({ day })}
          error={error}
        />
      )}
    </>
  )
}
