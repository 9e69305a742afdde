import type { KeyKind } from '@saleproof/schema/console/constants'
import { useWorkspaceMutation, type WorkspaceValues } from '../../api/queries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { ErrorNotice, fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toOptions } from '../../ui/options.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { ItemPicker, type PickedItem } from '../items/item-picker.tsx'
import { computeEnd } from './expiry.ts'
import { RevealedKey } from './revealed-key.tsx'

interface Draft {
  name: string
  kind: KeyKind
  expiry: keyof Messages['keys']['form']['expiry']
  day: string
  items: readonly PickedItem[]
}

const empty: Omit<Draft, 'kind'> = { name: '', expiry: 'never', day: '', items: [] }

function toRequest({ name, kind, expiry, day, items }: Draft): WorkspaceValues<'createKey'> {
  const expiresAt = computeEnd(expiry, day, new Date())
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

interface KeyFormProps extends NewKeyDialogProps {
  create: ReturnType<typeof useWorkspaceMutation<'createKey'>>
}

function KeyForm({ create, kind = 'secret', onClose }: KeyFormProps) {
  const { t } = useLanguage()
  const { draft, update } = useDraft<Draft>({ ...empty, kind }, create.reset)
  const texts = t.keys.form
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title}
      action={texts.submit}
      busy={create.isPending}
      onSubmit={() => create.mutate(toRequest(draft))}
    >
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
        labels={t.keys.kinds}
        descriptions={texts.kindTexts}
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
        options={toOptions(texts.expiry)}
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
    </FormDialog>
  )
}

/** Creates a key, then shows it. */
export default function NewKeyDialog({ kind, onClose }: NewKeyDialogProps) {
  const { t } = useLanguage()
  const create = useWorkspaceMutation('createKey')
  const texts = t.keys.created
  if (!create.data) return <KeyForm create={create} kind={kind} onClose={onClose} />
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
