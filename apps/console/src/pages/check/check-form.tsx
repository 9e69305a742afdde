import type { FormEvent, KeyboardEvent } from 'react'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './check.module.css'
import type { CheckDraft } from './code-check.tsx'
import { useCheckTexts } from './texts.ts'

interface CheckFormProps {
  draft: CheckDraft
  busy: boolean
  error: unknown
  onChange: (changes: Partial<CheckDraft>) => void
  onSubmit: () => void
}

export function CheckForm({ draft, busy, error, onChange, onSubmit }: CheckFormProps) {
  const { t } = useLanguage()
  const texts = useCheckTexts()
  const { data } = useWorkspaceQuery('listKeys', {})
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const keyOptions = (data?.keys ?? []).map((key) => ({
    value: key.id,
    label: [keyLabel(key), t.keys.kinds[key.kind], key.state !== 'live' && t.keys.states[key.state]]
      .filter(Boolean)
      .join(' · '),
  }))
  return (
    <Card>
      <form className="stack" onSubmit={submit}>
        <TextArea
          code
          className={styles.code}
          label={texts.code}
          rows={2}
          maxLength={4096}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.code}
          onValueChange={(code) => onChange({ code, isChecked: false })}
          onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && submit(event)}
          error={fieldErrorText(error, t, 'purchase_code')}
        />
        <div className={styles.row}>
          <SelectField
            label={texts.key}
            value={draft.keyId}
            options={[{ value: '', label: texts.anyKey }, ...keyOptions]}
            onValueChange={(keyId) => onChange({ keyId })}
          />
          <Button type="submit" variant="primary" busy={busy}>
            {texts.submit}
          </Button>
        </div>
        <p className="muted">{texts.notCounted}</p>
      </form>
    </Card>
  )
}
