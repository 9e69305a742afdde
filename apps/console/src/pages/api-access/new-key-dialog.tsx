import { type FormEvent, useId, useState } from 'react'
import { useCreateKey } from '../../api/keys.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText, fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { ItemPicker } from '../items/item-picker.tsx'
import { type Expiry, endOfDay, expiries, expiryOf } from './expiry.ts'
import { type KeyKind, keyKinds } from './kinds.ts'
import { RevealedKey } from './revealed-key.tsx'

interface Draft {
  name: string
  kind: KeyKind
  expiry: Expiry
  day: string
  items: readonly { id: number; name: string }[]
}

const empty: Draft = { name: '', kind: 'secret', expiry: 'never', day: '', items: [] }

function useDraft() {
  const [draft, setDraft] = useState(empty)
  return [draft, (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))] as const
}

interface FieldsProps {
  draft: Draft
  change: (change: Partial<Draft>) => void
  error: unknown
}

function ExpiryFields({ draft, change, error }: FieldsProps) {
  const { t } = useLanguage()
  const { make } = t.keys
  return (
    <>
      <SelectField
        label={make.expires}
        value={draft.expiry}
        onChange={(event) => change({ expiry: event.target.value as Expiry })}
      >
        {expiries.map((each) => (
          <option key={each} value={each}>
            {make.expiry[each]}
          </option>
        ))}
      </SelectField>
      {draft.expiry === 'day' && (
        <TextField
          type="date"
          label={make.day}
          required
          value={draft.day}
          onChange={(event) => change({ day: event.target.value })}
          error={fieldErrorText(error, t, 'expires_at')}
        />
      )}
    </>
  )
}

function Fields(props: FieldsProps) {
  const { t } = useLanguage()
  const { make, kinds } = t.keys
  const { draft, change, error } = props
  return (
    <>
      <TextField
        label={make.name}
        hint={make.nameHint}
        name="name"
        maxLength={100}
        required
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
        error={fieldErrorText(error, t, 'name')}
      />
      <RadioGroup
        legend={make.kind}
        value={draft.kind}
        choices={keyKinds.map((kind) => ({ value: kind, name: kinds[kind], text: make.kindTexts[kind] }))}
        onChange={(kind) => change({ kind })}
      />
      {draft.kind === 'publishable' && (
        <ItemPicker
          legend={make.items}
          hint={make.itemsHint}
          chosen={draft.items}
          onChange={(items) => change({ items })}
        />
      )}
      <ExpiryFields {...props} />
    </>
  )
}

/** What is sent for a draft. */
function requestOf({ name, kind, expiry, day, items }: Draft, now: Date) {
  const expires = expiry === 'day' ? endOfDay(day) : expiryOf(expiry, now)
  return {
    ...{ name: name.trim(), kind },
    ...(expires && { expires_at: expires }),
    ...(kind === 'publishable' && items.length > 0 && { items: items.map(({ id }) => id) }),
  }
}

interface FormDialogProps {
  create: ReturnType<typeof useCreateKey>
  onClose: () => void
}

function FormDialog({ create, onClose }: FormDialogProps) {
  const { t } = useLanguage()
  const [draft, change] = useDraft()
  const id = useId()
  const { make } = t.keys
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(requestOf(draft, new Date()))
  }
  return (
    <Dialog
      open
      dismissible={false}
      onClose={onClose}
      title={make.title}
      footer={
        <>
          <Button onClick={onClose}>{t.actions.cancel}</Button>
          <Button type="submit" form={id} variant="primary" busy={create.isPending}>
            {make.submit}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="stack">
        {create.error && (
          <Notice tone="bad" live>
            {errorText(create.error, t)}
          </Notice>
        )}
        <Fields draft={draft} change={change} error={create.error} />
      </form>
    </Dialog>
  )
}

/** Asks what the key is for, then shows it. */
export default function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage()
  const create = useCreateKey()
  const { made } = t.keys
  if (!create.data) return <FormDialog create={create} onClose={onClose} />
  return (
    <Dialog
      open
      dismissible={false}
      onClose={onClose}
      title={made.title}
      footer={<Button onClick={onClose}>{made.done}</Button>}
    >
      <Notice tone="good" live>
        {made.text}
      </Notice>
      <RevealedKey apiKey={create.data.api_key} kind={create.data.kind} />
    </Dialog>
  )
}
