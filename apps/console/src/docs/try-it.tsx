import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from '../ui/button.tsx'
import { PasswordField, SelectField, TextArea, TextField } from '../ui/field.tsx'
import { FieldRow } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { toOptions } from '../ui/options.ts'
import { ExchangeView } from './exchange-view.tsx'
import type { Operation } from './reference.ts'
import { type Exchange, sendRequest } from './send-request.ts'
import { useDocsTexts } from './texts.ts'

const toValues = (form: HTMLFormElement) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

type CredentialKind = 'key' | 'token'

/**
 * What was typed to try an operation, for the other operations. In a variable: an attribute, a URL or the browser's storage would keep it.
 * Cleared when the user leaves, because the browser may restore the page as it was.
 */
const typed: Record<CredentialKind, string> = { key: '', token: '' }
addEventListener('pagehide', () => Object.assign(typed, { key: '', token: '' }))

/** Uncontrolled: React would write the value of a controlled field into an attribute, which “save page” keeps. */
function CredentialField({ kind }: { kind: CredentialKind }) {
  const { tryIt } = useDocsTexts()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.value = typed[kind]
  }, [kind])
  return (
    <PasswordField
      ref={input}
      name="credential"
      label={tryIt[kind]}
      hint={tryIt.credentialHint}
      autoComplete="off"
      onValueChange={(value) => {
        typed[kind] = value
      }}
    />
  )
}

function ParameterFields({ operation }: { operation: Operation }) {
  const { tryIt } = useDocsTexts()
  const [shape, setShape] = useState('')
  const names = new Set(operation.parameters.map(({ name }) => name))
  if (!['item_id', 'purchase_code', 'shape'].some((name) => names.has(name))) return null
  return (
    <FieldRow>
      {names.has('item_id') && (
        <TextField code required name="item_id" label="item_id" inputMode="numeric" autoComplete="off" />
      )}
      {names.has('purchase_code') && (
        <TextField
          code
          required
          name="purchase_code"
          label="purchase_code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {names.has('shape') && (
        <SelectField
          name="shape"
          label="shape"
          value={shape}
          options={toOptions({ base: 'base', extended: 'extended' }, tryIt.shapeDefault)}
          onValueChange={setShape}
        />
      )}
    </FieldRow>
  )
}

/** Nothing is stored by accident: the records are the user's own, and the box has to be ticked. */
function RecordsFields() {
  const { tryIt } = useDocsTexts()
  return (
    <>
      <Notice tone="warning">{tryIt.warning}</Notice>
      <TextArea
        code
        required
        name="records"
        label={tryIt.records}
        rows={4}
        autoComplete="off"
        spellCheck={false}
      />
      <label className="docs-confirm">
        <input type="checkbox" required />
        {tryIt.confirm}
      </label>
    </>
  )
}

type Result = Exchange | 'failed'

/** A form that calls the operation, and the response of the service. */
export default function TryIt({ operation }: { operation: Operation }) {
  const { language } = useLanguage()
  const { tryIt } = useDocsTexts()
  const form = useRef<HTMLFormElement>(null)
  const [isPending, setPending] = useState(false)
  const [result, setResult] = useState<Result>()
  useEffect(() => {
    const forget = () => {
      form.current?.reset()
      setResult(undefined)
    }
    addEventListener('pagehide', forget)
    return () => removeEventListener('pagehide', forget)
  }, [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const { credential = '', ...values } = toValues(event.currentTarget)
    setPending(true)
    setResult(
      await sendRequest(operation, { credential: credential.trim(), values, language }).catch(
        () => 'failed' as const,
      ),
    )
    setPending(false)
  }
  return (
    <div className="docs-try-it stack">
      <form ref={form} className="stack" autoComplete="off" onSubmit={submit}>
        {operation.credential !== 'none' && <CredentialField kind={operation.credential} />}
        <ParameterFields operation={operation} />
        {operation.exampleBody !== undefined && <RecordsFields />}
        <Button type="submit" variant="primary" busy={isPending}>
          {tryIt.send}
        </Button>
      </form>
      {result === 'failed' && <Notice tone="error">{tryIt.failed}</Notice>}
      {result && result !== 'failed' && <ExchangeView operation={operation} exchange={result} />}
    </div>
  )
}
