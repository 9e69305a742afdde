import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api/errors.ts'
import { useAccountQuery } from '../../api/queries.ts'
import { useStartSession } from '../../api/session.ts'
import { paths } from '../../app/pages.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorNotice, ErrorState, fieldErrorText } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/field.tsx'
import { HiddenUsername } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { EntryFrame } from '../sign-in/entry-frame.tsx'
import styles from '../sign-in/sign-in.module.css'

const isInvalidLink = (error: unknown) => error instanceof ApiError && error.code === 'invalid_reset_link'

/** A link that does not work is the only error that a new link fixes. */
function InvalidLink({ error }: { error: unknown }) {
  const { t } = useLanguage()
  const texts = t.reset
  return (
    <div className="stack">
      <ErrorNotice error={error} />
      <p>
        {texts.askAgain} <code className={styles.command}>saleproof account reset-link</code>
      </p>
      <LinkButton to={paths.home}>{t.signIn.title}</LinkButton>
    </div>
  )
}

function NewPasswordForm({ token, username }: { token: string; username: string }) {
  const { t } = useLanguage()
  const [, navigate] = useLocation()
  const reset = useStartSession('resetPassword')
  const [password, setPassword] = useState('')
  const texts = t.reset
  const fieldError = fieldErrorText(reset.error, t, 'new_password')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The token is used up: nothing of it stays in the address.
    const onSuccess = () => navigate(paths.home, { replace: true })
    if (!reset.isPending) reset.mutate({ token, new_password: password }, { onSuccess })
  }
  if (isInvalidLink(reset.error)) return <InvalidLink error={reset.error} />
  return (
    <form className="stack" onSubmit={submit}>
      {!fieldError && <ErrorNotice error={reset.error} />}
      <p>{texts.subtitle(username)}</p>
      <HiddenUsername value={username} />
      <PasswordField
        label={t.settings.password.next}
        hint={t.settings.password.nextHint}
        name="new-password"
        autoComplete="new-password"
        required
        value={password}
        onValueChange={(next) => {
          reset.reset()
          setPassword(next)
        }}
        error={fieldError}
      />
      <Button type="submit" variant="primary" busy={reset.isPending}>
        {texts.submit}
      </Button>
    </form>
  )
}

function ResetForm({ token }: { token: string }) {
  const { data, error, refetch } = useAccountQuery(
    'checkResetLink',
    { token },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  if (data) return <NewPasswordForm token={token} username={data.username} />
  if (isInvalidLink(error)) return <InvalidLink error={error} />
  return error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton height="12rem" />
}

function onHashChange(listener: () => void) {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export default function ResetPage() {
  const { t } = useLanguage()
  const token = useSyncExternalStore(onHashChange, () => location.hash.slice(1))
  return (
    <EntryFrame title={t.reset.title}>
      {token ? (
        <ResetForm key={token} token={token} />
      ) : (
        <InvalidLink error={new ApiError('invalid_reset_link')} />
      )}
    </EntryFrame>
  )
}
