import type { ConsoleKey } from '@saleproof/schema/console'
import { useWorkspaceMutation, useWorkspaceQuery } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useLastUseText } from './last-use.ts'

interface RevokeKeyDialogProps {
  apiKey: ConsoleKey
  onClose: () => void
  /** Called with the sentence that says what was done. */
  onDone: (text: string) => void
}

export default function RevokeKeyDialog({ apiKey, onClose, onDone }: RevokeKeyDialogProps) {
  // It may have been used since the list was loaded.
  const { data } = useWorkspaceQuery('listKeys', {}, { staleTime: 0 })
  const key = data?.keys.find(({ id }) => id === apiKey.id) ?? apiKey
  const { t, format } = useLanguage()
  const revoke = useWorkspaceMutation('revokeKey')
  const lastUseText = useLastUseText()
  const texts = t.keys.revoke
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={texts.title(keyLabel(key))}
      action={texts.submit}
      mutation={revoke}
      onSubmit={() => revoke.mutate({ id: key.id }, { onSuccess: () => onDone(texts.done(keyLabel(key))) })}
    >
      <p>{texts.text}</p>
      {key.expires_at && <p>{texts.expires(format.dateTime(key.expires_at))}</p>}
      <p>
        <strong>{lastUseText(key)}</strong>
      </p>
    </ConfirmDialog>
  )
}
