import type { FormEvent, KeyboardEvent } from 'react'
import { useKeys } from '../../api/keys.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './check.module.css'

interface CheckFormProps {
  code: string
  keyId: string
  busy: boolean
  error: unknown
  onCode: (code: string) => void
  onKey: (id: string) => void
  onCheck: () => void
}

export function CheckForm({ code, keyId, busy, error, onCode, onKey, onCheck }: CheckFormProps) {
  const { t } = useLanguage()
  const { data } = useKeys()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCheck()
  }
  const submitOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    onCheck()
  }
  return (
    <Card>
      <form className={styles.form} onSubmit={submit}>
        <TextArea
          code
          label={t.check.code}
          rows={2}
          maxLength={4096}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={(event) => onCode(event.target.value)}
          onKeyDown={submitOnEnter}
          error={fieldErrorText(error, t, 'purchase_code')}
        />
        <div className={styles.row}>
          <SelectField label={t.check.key} value={keyId} onChange={(event) => onKey(event.target.value)}>
            <option value="">{t.check.anyKey}</option>
            {data?.keys.map(({ id, name, kind, state }) => (
              <option key={id} value={id}>
                {[name, t.keys.kinds[kind], ...(state === 'live' ? [] : [t.keys.states[state]])].join(' · ')}
              </option>
            ))}
          </SelectField>
          <Button type="submit" variant="primary" busy={busy}>
            {t.check.submit}
          </Button>
        </div>
        <p className={styles.quiet}>{t.check.quiet}</p>
      </form>
    </Card>
  )
}
