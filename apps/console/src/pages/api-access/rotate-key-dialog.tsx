import type { ConsoleKey } from '@saleproof/schema/console'
import { type FormEvent, useId } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, fieldErrorText } from '../../ui/error-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { computeEnd, type Ending, endings, endOfDay } from './expiry.ts'
import { useLastUseText } from './last-use.ts'
import { RevealedKey } from './revealed-key.tsx'

interface RotateKeyDialogProps {
  apiKey: ConsoleKey
  onClose: () => void
  /** Closes the dialog after the key was rotated. */
  onRotated: (key: ConsoleKey) => void
}

interface FormDialogProps {
  apiKey: ConsoleKey
  rotate: ReturnType<typeof useWorkspaceMutation<'rotateKey'>>
  onClose: () => void
}

const initial: { ending: Ending; day: string } = { ending: 'days7', day: '' }

function FormDialog({ apiKey, rotate, onClose }: FormDialogProps) {
  const { t, format } = useLanguage()
  const lastUseText = useLastUseText()
  const { draft, update } = useDraft(initial, rotate.reset)
  const id = useId()
  const texts = t.keys.rotate
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const end = draft.ending === 'day' ? endOfDay(draft.day) : computeEnd(draft.ending, new Date())
    if (end !== undefined) rotate.mutate({ id: apiKey.id, ends_at: end })
  }
  const refused = fieldErrorText(rotate.error, t, 'id')
  return (
    <Dialog
      dismissible={false}
      onClose={onClose}
      title={texts.title(keyLabel(apiKey))}
      description={
        <>
          <p>{texts.text}</p>
          <p>{lastUseText(apiKey)}</p>
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>{t.actions.cancel}</Button>
          <Button type="submit" form={id} variant="primary" busy={rotate.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="stack">
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
          options={endings.map((value) => ({ value, label: texts.endings[value] }))}
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
      </form>
    </Dialog>
  )
}

/** Creates the successor of a key, then shows it. */
export default function RotateKeyDialog({ apiKey, onClose, onRotated }: RotateKeyDialogProps) {
  const { t, format } = useLanguage()
  const rotate = useWorkspaceMutation('rotateKey')
  const texts = t.keys.rotate
  if (!rotate.data) return <FormDialog apiKey={apiKey} rotate={rotate} onClose={onClose} />
  const { replaced, api_key: key, kind } = rotate.data
  const close = () => onRotated(replaced)
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
