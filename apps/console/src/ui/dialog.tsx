import { type FormEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { ErrorNotice } from './error-state.tsx'
import { X } from './icons.ts'

interface DialogProps {
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** The buttons at the bottom. */
  footer?: ReactNode
  /** Opens as a side panel. */
  panel?: boolean
  /** Whether a click outside closes it; false where that would lose what it holds. */
  dismissible?: boolean
  /** Asks for nothing but a confirmation. */
  isQuestion?: boolean | undefined
}

const fields = 'input:not([hidden]), select, textarea'

/** Gives the focus to what asks for it, else to the first field, else to the title. */
function focusFirst(dialog: HTMLDialogElement, body: HTMLElement | null, title: HTMLElement | null) {
  const first =
    dialog.querySelector<HTMLElement>('[data-initial-focus]') ?? body?.querySelector<HTMLElement>(fields)
  ;(first ?? title)?.focus()
}

/** A modal `<dialog>`: the browser keeps everything behind it inert, dialogs above dialogs included. On a phone it lies at the bottom. */
export function Dialog({
  onClose,
  title,
  description,
  children,
  footer,
  panel,
  dismissible = true,
  isQuestion,
}: DialogProps) {
  const { t } = useLanguage()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    current.showModal()
    focusFirst(current, body.current, heading.current)
    // Gives the focus back; the browser does not where a dialog is only removed.
    return () => current.close()
  }, [])
  // The page decides when a dialog is removed.
  const close = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      role={isQuestion ? 'alertdialog' : undefined}
      className={classes(styles.dialog, panel && styles.panel)}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onKeyDown={(event) => event.key === 'Escape' && close(event)}
      onCancel={close}
      onPointerDown={(event) => dismissible && event.target === event.currentTarget && onClose()}
    >
      <div className={styles.popup}>
        <div className={styles.head}>
          <div>
            <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
              {title}
            </h2>
            {description && (
              <div id={`${id}-description`} className={styles.description}>
                {description}
              </div>
            )}
          </div>
          {!isQuestion && (
            <Button variant="quiet" iconOnly small aria-label={t.actions.close} onClick={onClose}>
              <X size={20} aria-hidden />
            </Button>
          )}
        </div>
        <div ref={body} className={styles.body}>
          {children}
        </div>
        {footer && <div className={styles.footer}>{footer}</div>}
      </div>
    </dialog>
  )
}

interface FormDialogProps extends Omit<DialogProps, 'footer'> {
  /** The label of the submit button: a verb. */
  action: string
  danger?: boolean
  mutation: { isPending: boolean; error: unknown }
  onSubmit: () => void
}

/** A dialog with the buttons to cancel and to submit it. It stays open until that has succeeded. */
export function FormDialog({ action, danger, mutation, onSubmit, children, ...props }: FormDialogProps) {
  const { t } = useLanguage()
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      dismissible={false}
      {...props}
      footer={
        <>
          <Button data-initial-focus={props.isQuestion} onClick={props.onClose}>
            {t.actions.cancel}
          </Button>
          <Button type="submit" form={id} variant={danger ? 'danger' : 'primary'} busy={mutation.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} className="stack" onSubmit={submit}>
        <ErrorNotice error={mutation.error} />
        {children}
      </form>
    </Dialog>
  )
}

/** Asks for confirmation of what its children say. */
export const ConfirmDialog = ({ children, ...props }: Omit<FormDialogProps, 'description'>) => (
  <FormDialog {...props} isQuestion description={children} />
)
