import type { ConsoleKey } from '@saleproof/schema/console'
import { useEffect } from 'react'
import { useKeys, useRevokeKey } from '../../api/keys.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLastUse } from './key-row.tsx'

interface RevokeKeyDialogProps {
  row: ConsoleKey
  onClose: () => void
  onRevoked: (key: ConsoleKey) => void
}

/** The key as it is known right now: it may have been used since the list was read. */
function useFresh(row: ConsoleKey): ConsoleKey {
  const { data, refetch } = useKeys()
  useEffect(() => void refetch(), [refetch])
  return data?.keys.find(({ id }) => id === row.id) ?? row
}

export default function RevokeKeyDialog({ row: shown, onClose, onRevoked }: RevokeKeyDialogProps) {
  const row = useFresh(shown)
  const { t, format } = useLanguage()
  const revoke = useRevokeKey()
  const lastUse = useLastUse()
  const { ask } = t.keys
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={ask.title(row.name)}
      action={ask.submit}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(row.id, { onSuccess: onRevoked })}
    >
      <p>{ask.text}</p>
      <p>
        <strong>
          {row.last_used_at
            ? ask.lastUsed(format.ago(row.last_used_at), lastUse(row) || t.keys.kinds[row.kind])
            : ask.neverUsed}
        </strong>
      </p>
    </ConfirmDialog>
  )
}
