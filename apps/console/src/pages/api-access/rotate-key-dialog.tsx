import type { ConsoleKey } from '@saleproof/schema/console'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { ErrorNotice, fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toOptions } from '../../ui/options.ts'
import { computeEnd } from './expiry.ts'
import { useLastUseText } from './last-use.ts'
import { RevealedKey } from './revealed-key.tsx'

interface RotateKeyDialogProps {
  apiKey: ConsoleKey
  onClose: () => void
  /** Closes the dialog after the key was rotated, with the sentence that says so. */
  onDone: (text: string) => void
}

interface RotationFormProps {
  apiKey: ConsoleKey
  rotate: ReturnType<typeof useWorkspaceMutation<'rotateKey'>>
  onClose: () => void
}

const initial: { ending: keyof Messages['keys']['rotate']['endings']; day: string } = {
  ending: 'days7',
  day: '',
}

function RotationForm({ apiKey, rotate, onClose }: RotationFormProps) {
  const { t, format } = useLanguage()
  const lastUseText = useLastUseText()
  const { draft, update } = useDraft(initial, rotate.reset)
  const texts = t.keys.rotate
  const submit = () => {
    const end = computeEnd(draft.ending, draft.day, new Date())
    if (end !== undefined) rotate.mutate({ id: apiKey.id, ends_at: end })
  }
  const refused = fieldErrorText(rotate.error, t, 'id')
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title(keyLabel(apiKey))}
      description={
        <>
          <p>{texts.text}</p>
          <p>{lastUseText(apiKey)}</p>
        </>
      }
      action={texts.submit}
      busy={rotate.isPending}
      onSubmit={submit}
    >
      {refused ? (
        <Notice tone="error" live>
          {refused}
        </Notice>
      ) : (
        <ErrorNotice error={rotate.error} />
      )}
      <SelectField
        label={texts.ends}
        hint={apiKey.expires_at && texts.expires(format.dateTime(apiKey.expires_at))}
        value={draft.ending}
        options={toOptions(texts.endings)}
        onValueChange={(ending) => update({ ending })}
      />
      {draft.ending === 'day' && (
        <TextField
          type="date"
          label={t.keys.form.day}
          required
          value={draft.day}
          onValueChange={(day) => update({ day })}
          error={fieldErrorText(rotate.error, t, 'ends_at')}
        />
      )}
      {draft.ending === 'now' && (
        <Notice tone="warning" live>
          {texts.warning}
        </Notice>
      )}
    </FormDialog>
  )
}

/** Creates the successor of a key, then shows it. */
export default function RotateKeyDialog({ apiKey, onClose, onDone }: RotateKeyDialogProps) {
  const { t, format } = useLanguage()
  const rotate = useWorkspaceMutation('rotateKey')
  const texts = t.keys.rotate
  if (!rotate.data) return <RotationForm apiKey={apiKey} rotate={rotate} onClose={onClose} />
  const { replaced, api_key: key, kind } = rotate.data
  const close = () => onDone(texts.done(keyLabel(replaced)))
  return (
    <Dialog
      dismissible={false}
      onClose={close}
      title={t.keys.created.title}
      footer={<Button onClick={close}>{t.keys.created.done}</Button>}
    >
      <Notice tone="success" live>
        {replaced.state === 'live' && replaced.expires_at
          ? texts.worksUntil(keyLabel(replaced), format.dateTime(replaced.expires_at))
          : texts.ended(keyLabel(replaced))}
      </Notice>
      <RevealedKey apiKey={key} kind={kind} />
    </Dialog>
  )
}
