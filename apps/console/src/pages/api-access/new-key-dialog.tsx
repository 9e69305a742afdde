import { type KeyKind, keyKinds } from '@saleproof/schema/console/constants'
import { type FormEvent, useId } from 'react'
import { useWorkspaceMutation, type WorkspaceValues } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { ItemPicker, type PickedItem } from '../items/item-picker.tsx'
import { computeExpiry, type Expiry, endOfDay, expiries } from './expiry.ts'
import { RevealedKey } from './revealed-key.tsx'

interface Draft {
  name: string
  kind: KeyKind
  expiry: Expiry
  day: string
  items: readonly PickedItem[]
}

const empty: Omit<Draft, 'kind'> = { name: '', expiry: 'never', day: '', items: [] }

function toRequest({ name, kind, expiry, day, items }: Draft): WorkspaceValues<'createKey'> {
  const expiresAt = expiry === 'day' ? endOfDay(day) : computeExpiry(expiry, new Date())
  return {
    name: name.trim(),
    kind,
    ...(expiresAt && { expires_at: expiresAt }),
    ...(kind === 'publishable' && items.length > 0 && { items: items.map(({ id }) => id) }),
  }
}

interface NewKeyDialogProps {
  /** The kind that is selected at first. */
  kind?: KeyKind | undefined
  onClose: () => void
}

interface FormDialogProps extends NewKeyDialogProps {
  create: ReturnType<typeof useWorkspaceMutation<'createKey'>>
}

function FormDialog({ create, kind = 'secret', onClose }: FormDialogProps) {
  const { t } = useLanguage()
  const { draft, update } = useDraft<Draft>({ ...empty, kind }, create.reset)
  const id = useId()
  const texts = t.keys.form
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(toRequest(draft))
  }
  return (
    <Dialog
      dismissible={false}
      onClose={onClose}
      title={texts.title}
      footer={
        <>
          <Button onClick={onClose}>{t.actions.cancel}</Button>
          <Button type="submit" form={id} variant="primary" busy={create.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="stack">
        <ErrorNotice error={create.error} />
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          name="name"
          maxLength={100}
          required
          value={draft.name}
          onValueChange={(name) => update({ name })}
          error={fieldErrorText(create.error, t, 'name')}
        />
        <RadioGroup
          legend={texts.kind}
          value={draft.kind}
          options={keyKinds.map((value) => ({
            value,
            label: t.keys.kinds[value],
            description: texts.kindTexts[value],
          }))}
          onValueChange={(kind) => update({ kind })}
        />
        {draft.kind === 'publishable' && (
          <ItemPicker
            legend={texts.items}
            hint={texts.itemsHint}
            picked={draft.items}
            onChange={(items) => update({ items })}
          />
        )}
        <SelectField
          label={texts.expires}
          value={draft.expiry}
          options={expiries.map((value) => ({ value, label: texts.expiry[value] }))}
          onValueChange={(expiry) => update({ expiry })}
        />
        {draft.expiry === 'day' && (
          <TextField
            type="date"
            label={texts.day}
            required
            value={draft.day}
            onValueChange={(day) => update({ day })}
            error={fieldErrorText(create.error, t, 'expires_at')}
          />
        )}
      </form>
    </Dialog>
  )
}

/** Creates a key, then shows it. */
export default function NewKeyDialog({ kind, onClose }: NewKeyDialogProps) {
  const { t } = useLanguage()
  const create = useWorkspaceMutation('createKey')
  const texts = t.keys.created
  if (!create.data) return <FormDialog create={create} kind={kind} onClose={onClose} />
  return (
    <Dialog
      dismissible={false}
      onClose={onClose}
      title={texts.title}
      footer={<Button onClick={onClose}>{texts.done}</Button>}
    >
      <Notice tone="success" live>
        {texts.text}
      </Notice>
      <RevealedKey apiKey={create.data.api_key} kind={create.data.kind} />
    </Dialog>
  )
}
