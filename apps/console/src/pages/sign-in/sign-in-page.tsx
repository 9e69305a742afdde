import { type FormEvent, useRef, useState } from 'react'
import { useExpiredAccount, useStartSession } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-state.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EntryFrame } from './entry-frame.tsx'
import styles from './sign-in.module.css'

function SignInForm() {
  const { t } = useLanguage()
  const signIn = useStartSession('signIn')
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const passwordInput = useRef<HTMLInputElement>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({ login: login.trim(), password }, { onError: () => passwordInput.current?.select() })
  }

  return (
    <form className="stack" onSubmit={submit}>
      <ErrorNotice error={signIn.error} />
      <TextField
        label={t.signIn.login}
        name="login"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={login}
        onValueChange={(value) => setLogin(value.trimStart())}
      />
      <PasswordField
        ref={passwordInput}
        label={t.signIn.password}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onValueChange={setPassword}
      />
      <Button type="submit" variant="primary" busy={signIn.isPending}>
        {t.signIn.title}
      </Button>
    </form>
  )
}

export default function SignInPage() {
  const { t } = useLanguage()
  const isExpired = useExpiredAccount() !== ''
  return (
    <EntryFrame title={t.signIn.title} subtitle={t.signIn.subtitle}>
      {isExpired && (
        <Notice tone="info" live>
          {t.signIn.expired}
        </Notice>
      )}
      <SignInForm />
      <details className={styles.forgotPassword}>
        <summary>{t.signIn.forgotPassword}</summary>
        <p>
          {t.signIn.forgotPasswordText} <code className={styles.command}>saleproof account reset-link</code>
        </p>
      </details>
    </EntryFrame>
  )
}
