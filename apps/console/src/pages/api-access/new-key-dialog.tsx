import type { KeyKind } from '@saleproof/schema/console/constants'
import { useState } from 'react'
import { useWorkspaceMutation, type WorkspaceValues } from '../../api/queries.ts'
import { storedKey } from '../../api/stored-drafts.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en/index.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/form.tsx'
import { toOptions } from '../../ui/options.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ItemPicker, type PickedItem } from '../items/item-picker.tsx'
import { generateCode } from '../purchases/generate-code.ts'
import { EndFields } from './end-fields.tsx'
import { computeEnd } from './expiry.ts'
import { RevealedKeyDialog } from './revealed-key.tsx'

interface Draft {
  name: string
  kind: KeyKind
  ending: keyof Messages['keys']['form']['expiry']
  day: string
  items: readonly PickedItem[]
}

const empty: Omit<Draft, 'kind'> = { name: '', ending: 'never', day: '', items: [] }

function toRequest(
  { name, kind, ending, day, items }: Draft,
  requestId: string,
): WorkspaceValues<'createKey'> {
  const expiresAt = computeEnd(ending, day, new Date())
  return {
    name: name.trim(),
    kind,
    // Sent again with another end it is another request.
    request_id: `${requestId}-${ending}-${day}`,
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
  const name = [storedKey, 'key', useWorkspace().slug]
  const { draft, update, forget } = useDraft<Draft>({ ...empty, kind }, create.reset, name)
  const [requestId] = useState(generateCode)
  const texts = t.keys.form
  return (
    <FormDialog
      onClose={() => {
        forget()
        onClose()
      }}
      title={texts.title}
      action={texts.submit}
      mutation={create}
      onSubmit={() => create.mutate(toRequest(draft, requestId), { onSuccess: forget })}
    >
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
      <SegmentedControl
        label={texts.kind}
        value={draft.kind}
        options={toOptions(t.keys.kinds)}
        hint={texts.kindTexts[draft.kind]}
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
      <EndFields
        label={texts.expires}
        labels={texts.expiry}
        draft={draft}
        onChange={update}
        error={fieldErrorText(create.error, t, 'expires_at')}
      />
    </FormDialog>
  )
}

/** Creates a key, then shows it. */
export default function NewKeyDialog({ kind, onClose }: NewKeyDialogProps) {
  const { t } = useLanguage()
  const create = useWorkspaceMutation('createKey')
  const texts = t.keys.created
  if (!create.data) return <KeyForm create={create} kind={kind} onClose={onClose} />
  const { api_key: key, kind: created } = create.data
  return (
    <RevealedKeyDialog title={texts.title} done={texts.text} apiKey={key} kind={created} onClose={onClose} />
  )
}
