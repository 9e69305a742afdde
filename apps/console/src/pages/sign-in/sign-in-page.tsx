import { type FormEvent, useRef, useState } from 'react'
import { useSessionExpired, useSignIn } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LanguageChoice, ThemeChoice } from '../../ui/appearance.tsx'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../../ui/error-state.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { SampleReceipt } from './sample-receipt.tsx'
import styles from './sign-in.module.css'

function SignInForm() {
  const { t } = useLanguage()
  const signIn = useSignIn()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [incomplete, setIncomplete] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = !login.trim() ? 'login' : !password ? 'password' : undefined
    setIncomplete(missing !== undefined)
    const input = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
    if (missing) return input(missing)?.focus()
    signIn.mutate({ login: login.trim(), password }, { onError: () => input('password')?.select() })
  }

  return (
    <form ref={form} className={styles.fields} onSubmit={submit} noValidate>
      {signIn.error && (
        <Notice tone="bad" live>
          {errorText(signIn.error, t)}
        </Notice>
      )}
      <TextField
        label={t.signIn.login}
        name="login"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={login}
        onChange={(event) => setLogin(event.target.value)}
        error={incomplete && !login.trim() && t.errors.fields.required}
      />
      <PasswordField
        label={t.signIn.password}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={incomplete && !password && t.errors.fields.required}
      />
      <Button type="submit" variant="primary" busy={signIn.isPending}>
        {t.signIn.submit}
      </Button>
    </form>
  )
}

export function SignInPage() {
  const { t } = useLanguage()
  const expired = useSessionExpired()
  usePageTitle(t.signIn.title)
  return (
    <div className={styles.page}>
      <main className={styles.form}>
        <div className={styles.head}>
          <Logo size={44} />
          <h1>{t.signIn.title}</h1>
          <p>{t.signIn.subtitle}</p>
        </div>
        {expired && (
          <Notice tone="note" live>
            {t.signIn.expired}
          </Notice>
        )}
        <SignInForm />
        <details className={styles.forgotten}>
          <summary>{t.signIn.forgotten}</summary>
          <p>
            {t.signIn.forgottenText} <code>saleproof account password</code>
          </p>
        </details>
      </main>
      <footer className={styles.footer}>
        <LanguageChoice />
        <ThemeChoice brief />
      </footer>
      <SampleReceipt />
    </div>
  )
}
