import { type FormEvent, useRef, useState } from 'react'
import { useHasExpired, useLogIn } from '../../api/session.ts'
import { useLanguage } from '../../language/language.tsx'
import { LanguageChoice, ThemeChoice } from '../../ui/appearance.tsx'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/failed.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import styles from './log-in.module.css'
import { SampleReceipt } from './sample-receipt.tsx'

function LogInForm() {
  const { t } = useLanguage()
  const logIn = useLogIn()
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
    logIn.mutate({ login: login.trim(), password }, { onError: () => input('password')?.select() })
  }

  return (
    <form ref={form} className={styles.fields} onSubmit={submit} noValidate>
      {logIn.error && (
        <Notice tone="bad" live>
          {explain(logIn.error, t)}
        </Notice>
      )}
      <TextField
        label={t.logIn.login}
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
        label={t.logIn.password}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={incomplete && !password && t.errors.fields.required}
      />
      <Button type="submit" variant="primary" busy={logIn.isPending}>
        {t.logIn.submit}
      </Button>
    </form>
  )
}

export function LogInPage() {
  const { t } = useLanguage()
  const expired = useHasExpired()
  usePageTitle(t.logIn.title)
  return (
    <div className={styles.page}>
      <main className={styles.form}>
        <div className={styles.head}>
          <Logo size={44} />
          <h1>{t.logIn.title}</h1>
          <p>{t.logIn.subtitle}</p>
        </div>
        {expired && (
          <Notice tone="note" live>
            {t.logIn.expired}
          </Notice>
        )}
        <LogInForm />
        <details className={styles.forgotten}>
          <summary>{t.logIn.forgotten}</summary>
          <p>
            {t.logIn.forgottenText} <code>saleproof account password</code>
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
