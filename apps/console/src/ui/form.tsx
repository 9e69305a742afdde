import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useKept } from '../app/kept.ts'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { ErrorNotice } from './error-state.tsx'
import styles from './form.module.css'
import { CircleCheck } from './icons.ts'
import { Notice } from './notice.tsx'
import { Card } from './page.tsx'

/** The draft of a form. Editing resets the result of the last save. A draft with a name survives leaving the page. */
export function useDraft<Draft extends object>(
  initial: Draft,
  resetSave: () => void,
  name?: readonly string[],
) {
  const { value, set, forget, discard: discardKept } = useKept(name, initial)
  // What was stored by an older version may lack fields.
  const draft = { ...initial, ...value }
  /** Updates the draft without resetting the result. */
  const update = (changes: Partial<Draft>) => set((previous) => ({ ...previous, ...changes }))
  const change = (changes: Partial<Draft>) => {
    resetSave()
    update(changes)
  }
  const discard = () => {
    resetSave()
    discardKept()
  }
  return { draft, change, update, forget, discard }
}

/** Makes the browser ask before it closes the page. */
function useUnloadWarning(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])
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
  /** Discards the edits; given while there are any. */
  onDiscard?: (() => void) | undefined
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
  onDiscard,
  onSubmit,
  children,
}: FormCardProps) {
  const { t } = useLanguage()
  useUnloadWarning(onDiscard !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Card title={title} description={description}>
      <form className={styles.form} onSubmit={submit}>
        <ErrorNotice error={mutation.error} />
        {problemText && <Notice tone="error">{problemText}</Notice>}
        {children}
        <div className={styles.footer}>
          <Button type="submit" variant="primary" busy={mutation.isPending}>
            {action}
          </Button>
          {onDiscard && <Button onClick={onDiscard}>{t.actions.discard}</Button>}
          <span role="status" className={styles.saved}>
            {mutation.isSuccess && successText && (
              <>
                <CircleCheck size={18} aria-hidden />
                {successText}
              </>
            )}
          </span>
          {onDiscard && <span className="secondary">{t.actions.unsaved}</span>}
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
