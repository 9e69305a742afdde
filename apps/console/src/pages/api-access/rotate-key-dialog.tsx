import type { ConsoleKey } from '@saleproof/schema/console'
import { useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { Messages } from '../../messages/en/index.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { fieldErrorText } from '../../ui/error-state.tsx'
import { useDraft } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { generateCode } from '../purchases/generate-code.ts'
import { EndFields } from './end-fields.tsx'
import { computeEnd } from './expiry.ts'
import { useLastUseText } from './last-use.ts'
import { RevealedKeyDialog } from './revealed-key.tsx'

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
  const [requestId] = useState(generateCode)
  const texts = t.keys.rotate
  const submit = () => {
    const end = computeEnd(draft.ending, draft.day, new Date())
    // Sent again with another end it is another request.
    const id = `${requestId}-${draft.ending}-${draft.day}`
    if (end !== undefined) rotate.mutate({ id: apiKey.id, ends_at: end, request_id: id })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t.keys.rotateNamed(keyLabel(apiKey))}
      description={
        <>
          <p>{texts.text}</p>
          <p>{lastUseText(apiKey)}</p>
        </>
      }
      action={texts.submit}
      mutation={rotate}
      onSubmit={submit}
    >
      <EndFields
        label={texts.ends}
        hint={apiKey.expires_at && texts.expires(format.dateTime(apiKey.expires_at))}
        labels={texts.endings}
        draft={draft}
        onChange={update}
        error={fieldErrorText(rotate.error, t, 'ends_at')}
      />
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
  const name = keyLabel(replaced)
  const done =
    replaced.state === 'live' && replaced.expires_at
      ? texts.worksUntil(name, format.dateTime(replaced.expires_at))
      : texts.ended(name)
  return (
    <RevealedKeyDialog
      title={t.keys.created.title}
      done={done}
      apiKey={key}
      kind={kind}
      onClose={() => onDone(texts.done(name))}
    />
  )
}
