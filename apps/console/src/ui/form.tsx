import type { FormEvent, ReactNode } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { errorText } from './error-state.tsx'
import styles from './form.module.css'
import { CircleCheck } from './icons.ts'
import { Notice } from './notice.tsx'
import { Card } from './page.tsx'

interface FormCardProps {
  title: string
  text?: string
  /** What its button does. */
  action: string
  /** What is said when it is done. */
  done: string
  /** How the last attempt went; `isSuccess` until something is changed again. */
  state: { isPending: boolean; isSuccess: boolean; error: unknown }
  onSubmit: () => void
  children: ReactNode
}

/** A part of a page that is saved by itself. */
export function FormCard({ title, text, action, done, state, onSubmit, children }: FormCardProps) {
  const { t } = useLanguage()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!state.isPending) onSubmit()
  }
  return (
    <Card title={title}>
      <form className={styles.form} onSubmit={submit}>
        {text && <p className={styles.text}>{text}</p>}
        {Boolean(state.error) && (
          <Notice tone="bad" live>
            {errorText(state.error, t)}
          </Notice>
        )}
        {children}
        <div className={styles.footer}>
          <Button type="submit" variant="primary" busy={state.isPending}>
            {action}
          </Button>
          <span role="status" className={styles.saved}>
            {state.isSuccess && (
              <>
                <CircleCheck size={18} aria-hidden />
                {done}
              </>
            )}
          </span>
        </div>
      </form>
    </Card>
  )
}

/** Fields beside each other where there is room. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.two}>{children}</div>
)

/** What the fields after it are about. */
export const FormHeading = ({ title, text }: { title: string; text?: string }) => (
  <div className={styles.heading}>
    <h3>{title}</h3>
    {text && <p>{text}</p>}
  </div>
)
