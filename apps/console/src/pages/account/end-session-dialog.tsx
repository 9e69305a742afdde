import { useEndSession } from '../../api/sessions.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import type { Ending } from './sessions-card.tsx'

interface EndSessionDialogProps {
  ending: Ending
  onClose: () => void
  onEnded: () => void
}

export default function EndSessionDialog({ ending, onClose, onEnded }: EndSessionDialogProps) {
  const { t, format } = useLanguage()
  const end = useEndSession()
  const texts = t.settings.sessions
  const { confirm } = texts
  const one = ending === 'others' ? undefined : ending
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={one ? confirm.title : confirm.titleOthers}
      action={one ? texts.end : texts.endOthers}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate(one?.other.id, { onSuccess: onEnded })}
    >
      {one && (
        <p>
          <strong>{one.name}</strong>, {texts.signedIn(format.dateTime(one.other.signed_in_at))}
        </p>
      )}
      <p>{one ? confirm.text : confirm.textOthers}</p>
    </ConfirmDialog>
  )
}
