import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorNotice } from './error-state.tsx'
import styles from './form.module.css'
import { CircleCheck } from './icons.ts'
import { Notice } from './notice.tsx'
import { Card } from './page.tsx'

/** The draft of a form. Editing resets the result of the last save. */
export function useDraft<Draft extends object>(initial: Draft, resetSave: () => void) {
  const [draft, setDraft] = useState(initial)
  /** Updates the draft without resetting the result. */
  const update = (changes: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...changes }))
  const change = (changes: Partial<Draft>) => {
    resetSave()
    update(changes)
  }
  return { draft, change, update }
}

interface FormCardProps {
  title: string
  description?: string
  /** The label of the submit button. */
  action: string
  successText?: string
  /** What keeps the form from being saved, where the request itself succeeded. */
  problemText?: string | undefined
  mutation: { isPending: boolean; isSuccess: boolean; error: unknown }
  onSubmit: () => void
  children: ReactNode
}

/** A section of a page with its own save button. */
export function FormCard({
  title,
  description,
  action,
  successText,
  problemText,
  mutation,
  onSubmit,
  children,
}: FormCardProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!mutation.isPending) onSubmit()
  }
  return (
    <Card title={title} description={description}>
      <form className={styles.form} onSubmit={submit}>
        <ErrorNotice error={mutation.error} />
        {problemText && (
          <Notice tone="error" live>
            {problemText}
          </Notice>
        )}
        {children}
        <div className={styles.footer}>
          <Button type="submit" variant="primary" busy={mutation.isPending}>
            {action}
          </Button>
          <span role="status" className={styles.saved}>
            {mutation.isSuccess && successText && (
              <>
                <CircleCheck size={18} aria-hidden />
                {successText}
              </>
            )}
          </span>
        </div>
      </form>
    </Card>
  )
}

/** Fields side by side where there is room. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
)

/** Shows password managers whose password a form asks for. */
export const HiddenUsername = ({ value }: { value: string }) => (
  <input hidden readOnly autoComplete="username" value={value} />
)

export const FormHeading = ({ title, description }: { title: string; description?: string }) => (
  <div className={styles.heading}>
    <h3>{title}</h3>
    {description && <p>{description}</p>}
  </div>
)
