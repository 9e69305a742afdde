import { useChangePassword } from '../../api/account.ts'
import { ApiError } from '../../api/errors.ts'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { useDraft } from '../../ui/draft.ts'
import { errorText, fieldErrorText } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { FormCard } from '../../ui/form.tsx'

const empty = { current: '', next: '' }

/** A wrong password is told where it was typed. */
const isWrong = (error: unknown) => error instanceof ApiError && error.code === 'wrong_password'

export function PasswordForm() {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const save = useChangePassword()
  const { draft, change, settle } = useDraft(empty, save.reset)
  const texts = t.settings.password
  const wrong = isWrong(save.error)
  const submit = () =>
    save.mutate(
      { current_password: draft.current, new_password: draft.next },
      { onSuccess: () => settle(empty) },
    )
  return (
    <FormCard
      title={texts.title}
      text={texts.text}
      action={texts.submit}
      done={texts.done}
      state={{ ...save, error: wrong ? null : save.error }}
      onSubmit={submit}
    >
      {/* For managers of passwords, which ask whose it is. */}
      <input hidden readOnly autoComplete="username" value={account.username} />
      <PasswordField
        label={texts.current}
        autoComplete="current-password"
        required
        value={draft.current}
        onChange={(event) => change({ current: event.target.value })}
        error={wrong ? errorText(save.error, t) : fieldErrorText(save.error, t, 'current_password')}
      />
      <PasswordField
        label={texts.next}
        hint={texts.nextHint}
        autoComplete="new-password"
        required
        value={draft.next}
        onChange={(event) => change({ next: event.target.value })}
        error={fieldErrorText(save.error, t, 'new_password')}
      />
    </FormCard>
  )
}
