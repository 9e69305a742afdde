import type { ConsoleCheck } from '@saleproof/schema/console'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { useKept } from '../../app/kept.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import styles from './check.module.css'
import { Result } from './result.tsx'
import { useCheckTexts } from './texts.ts'

export interface CheckDraft {
  code: string
  keyId: string
  isChecked: boolean
}

interface CheckFormProps {
  draft: CheckDraft
  busy: boolean
  error: unknown
  onChange: (changes: Partial<CheckDraft>) => void
  onSubmit: () => void
}

function CheckForm({ draft, busy, error, onChange, onSubmit }: CheckFormProps) {
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
          label={t.purchases.fields.purchase_code}
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

interface CodeCheckProps {
  /** The name under which the code is kept while the page is left. */
  keptAs?: readonly string[]
  /** Shown before the first check. */
  empty?: ReactNode
  /** Shown below the result. */
  details?: (check: ConsoleCheck) => ReactNode
}

/** A form that checks codes, and the result of the last check. */
export function CodeCheck({ keptAs, empty, details }: CodeCheckProps) {
  const check = useWorkspaceMutation('check')
  const { value: draft, set } = useKept<CheckDraft>(keptAs, { code: '', keyId: '', isChecked: false })
  const change = (changes: Partial<CheckDraft>) => set((previous) => ({ ...previous, ...changes }))
  const run = () => {
    change({ isChecked: true })
    check.mutate(
      { purchase_code: draft.code, ...(draft.keyId && { key_id: draft.keyId }) },
      // A key stays on the screen no longer than it must.
      { onSuccess: ({ reason }) => reason === 'api_key' && change({ code: '', isChecked: false }) },
    )
  }
  // A code that another page opened this one with, or that was checked before the page was left, is checked once.
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isStarted.current && draft.isChecked) run()
    isStarted.current = true
  }, [])
  return (
    <>
      <CheckForm draft={draft} busy={check.isPending} error={check.error} onChange={change} onSubmit={run} />
      <ErrorNotice error={check.error} />
      <div role="status" className="stack">
        {check.data && (
          <Result key={check.submittedAt} check={check.data} code={check.variables?.purchase_code ?? ''} />
        )}
      </div>
      {check.data && details?.(check.data)}
      {check.isIdle && empty}
    </>
  )
}
