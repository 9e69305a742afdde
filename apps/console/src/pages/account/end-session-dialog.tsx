import { useAccountMutation } from '../../api/queries.ts'
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
  const end = useAccountMutation('endSession')
  const endOthers = useAccountMutation('endOtherSessions')
  const texts = t.settings.sessions
  const { confirm } = texts
  const one = ending === 'others' ? undefined : ending
  const confirmed = () =>
    one
      ? end.mutate({ id: one.other.id }, { onSuccess: onEnded })
      : endOthers.mutate({}, { onSuccess: onEnded })
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={one ? confirm.title : confirm.titleOthers}
      action={one ? texts.end : texts.endOthers}
      mutation={one ? end : endOthers}
      onSubmit={confirmed}
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
