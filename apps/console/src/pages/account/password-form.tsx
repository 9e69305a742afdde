import { ApiError } from '../../api/errors.ts'
import { useAccountMutation } from '../../api/queries.ts'
import { useSignedIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { errorText, fieldErrorText } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { FormCard, HiddenUsername, useDraft } from '../../ui/form.tsx'

const empty = { current: '', next: '' }

export function PasswordForm() {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const save = useAccountMutation('changePassword')
  const { draft, change, update } = useDraft(empty, save.reset)
  const texts = t.settings.password
  // Shown at its field instead of above the form.
  const isWrongPassword = save.error instanceof ApiError && save.error.code === 'wrong_password'
  const submit = () =>
    save.mutate(
      { current_password: draft.current, new_password: draft.next },
      { onSuccess: () => update(empty) },
    )
  return (
    <FormCard
      title={texts.title}
      description={texts.text}
      action={texts.submit}
      successText={texts.done}
      mutation={{ ...save, error: isWrongPassword ? null : save.error }}
      onSubmit={submit}
    >
      <HiddenUsername value={account.username} />
      <PasswordField
        label={texts.current}
        autoComplete="current-password"
        required
        value={draft.current}
        onValueChange={(current) => change({ current })}
        error={isWrongPassword ? errorText(save.error, t) : fieldErrorText(save.error, t, 'current_password')}
      />
      <PasswordField
        label={texts.next}
        hint={texts.nextHint}
        autoComplete="new-password"
        required
        value={draft.next}
        onValueChange={(next) => change({ next })}
        error={fieldErrorText(save.error, t, 'new_password')}
      />
    </FormCard>
  )
}
