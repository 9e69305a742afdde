import type { ConsoleKey } from '@saleproof/schema/console'
import { useEffect } from 'react'
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

/** The current state of a key: it may have been used since the list was loaded. */
function useLatest(key: ConsoleKey): ConsoleKey {
  const { data, refetch } = useWorkspaceQuery('listKeys', {})
  useEffect(() => void refetch(), [refetch])
  return data?.keys.find(({ id }) => id === key.id) ?? key
}

export default function RevokeKeyDialog({ apiKey, onClose, onDone }: RevokeKeyDialogProps) {
  const key = useLatest(apiKey)
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
