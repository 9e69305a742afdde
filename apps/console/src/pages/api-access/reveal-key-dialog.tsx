import type { ConsoleKey } from '@saleproof/schema/console'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useShowKey } from '../../api/keys.ts'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { RevealedKey } from './revealed-key.tsx'

interface RevealKeyDialogProps {
  row: ConsoleKey
  onClose: () => void
}

interface AskingProps extends RevealKeyDialogProps {
  show: ReturnType<typeof useShowKey>
}

function Asking({ row, show, onClose }: AskingProps) {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const [password, setPassword] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const form = useId()
  const { reveal } = t.keys
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show.mutate(password, { onError: () => input.current?.select() })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={reveal.title(row.name)}
      text={reveal.text}
      initialFocus={input}
      footer={
        <>
          <Button onClick={onClose}>{t.actions.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={show.isPending}>
            {reveal.submit}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        {/* For managers of passwords, which ask whose it is. */}
        <input hidden readOnly autoComplete="username" value={account.username} />
        <PasswordField
          ref={input}
          label={reveal.password}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={show.error && errorText(show.error, t)}
        />
      </form>
    </Dialog>
  )
}

/** Shows a key again, to whoever knows the password: a browser that was left alone is not enough. */
export default function RevealKeyDialog({ row, onClose }: RevealKeyDialogProps) {
  const { t } = useLanguage()
  const show = useShowKey(row.id)
  if (!show.data) return <Asking {...{ row, show, onClose }} />
  return (
    <Dialog
      open
      dismissible={false}
      onClose={onClose}
      title={t.keys.reveal.title(row.name)}
      footer={<Button onClick={onClose}>{t.keys.made.done}</Button>}
    >
      <RevealedKey apiKey={show.data.api_key} kind={row.kind} />
    </Dialog>
  )
}
