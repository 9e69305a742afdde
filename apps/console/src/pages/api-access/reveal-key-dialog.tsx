import type { ConsoleKey } from '@saleproof/schema/console'
import { useRef, useState } from 'react'
import { useWorkspaceMutation } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { errorText } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { HiddenUsername } from '../../ui/form.tsx'
import { RevealedKeyDialog } from './revealed-key.tsx'

interface RevealKeyDialogProps {
  apiKey: ConsoleKey
  onClose: () => void
}

interface PasswordDialogProps {
  apiKey: ConsoleKey
  reveal: ReturnType<typeof useWorkspaceMutation<'showKey'>>
  onClose: () => void
}

function PasswordDialog({ apiKey, reveal, onClose }: PasswordDialogProps) {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const [password, setPassword] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const texts = t.keys.reveal
  return (
    <FormDialog
      dismissible
      onClose={onClose}
      title={t.keys.showNamed(keyLabel(apiKey))}
      description={texts.text}
      action={texts.submit}
      // Shown at its field instead.
      mutation={{ ...reveal, error: null }}
      onSubmit={() => reveal.mutate({ id: apiKey.id, password }, { onError: () => input.current?.select() })}
    >
      <HiddenUsername value={account.username} />
      <PasswordField
        ref={input}
        label={texts.password}
        autoComplete="current-password"
        value={password}
        onValueChange={setPassword}
        error={reveal.error && errorText(reveal.error, t)}
      />
    </FormDialog>
  )
}

/** Shows a key after the password was entered: an unattended browser must not be enough. */
export default function RevealKeyDialog({ apiKey, onClose }: RevealKeyDialogProps) {
  const { t } = useLanguage()
  const reveal = useWorkspaceMutation('showKey')
  if (!reveal.data) return <PasswordDialog apiKey={apiKey} reveal={reveal} onClose={onClose} />
  return (
    <RevealedKeyDialog
      title={t.keys.showNamed(keyLabel(apiKey))}
      apiKey={reveal.data.api_key}
      kind={apiKey.kind}
      onClose={onClose}
    />
  )
}
