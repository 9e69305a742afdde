import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { ErrorNotice } from './error-state.tsx'
import { X } from './icons.ts'

interface ModalProps extends Pick<ComponentProps<'dialog'>, 'role' | 'className'> {
  onClose: () => void
  /** Whether a click outside closes it. */
  dismissible: boolean
  title: ReactNode
  description?: ReactNode
  /** Beside the title. */
  action?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}

const fields = 'input:not([hidden]), select, textarea'

/** Gives the focus to what asks for it, else to the first field, else to the title. */
function focusFirst(dialog: HTMLDialogElement, body: HTMLElement | null, title: HTMLElement | null) {
  const first =
    dialog.querySelector<HTMLElement>('[data-initial-focus]') ?? body?.querySelector<HTMLElement>(fields)
  ;(first ?? title)?.focus()
}

/** A modal `<dialog>`: the browser keeps everything behind it inert, dialogs above dialogs included. */
function Modal({
  onClose,
  dismissible,
  title,
  description,
  action,
  children,
  footer,
  role,
  className,
}: ModalProps) {
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
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The page decides when a dialog is removed.
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      role={role}
      className={classes(styles.dialog, className)}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onKeyDown={closeOnEscape}
      onCancel={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
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
          {action}
        </div>
        <div ref={body} className={styles.body}>
          {children}
        </div>
        {footer && <div className={styles.footer}>{footer}</div>}
      </div>
    </dialog>
  )
}

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
}

/** A modal dialog; on a phone it slides in from the bottom. */
export function Dialog({ panel, dismissible = true, ...props }: DialogProps) {
  const { t } = useLanguage()
  const close = (
    <Button variant="quiet" iconOnly small aria-label={t.actions.close} onClick={props.onClose}>
      <X size={20} aria-hidden />
    </Button>
  )
  return (
    <Modal {...props} dismissible={dismissible} className={panel ? styles.panel : undefined} action={close} />
  )
}

interface FormDialogProps extends DialogProps {
  /** The label of the submit button. */
  action: string
  busy: boolean
  onSubmit: () => void
}

/** A dialog with a form, and the buttons to cancel and to submit it. */
export function FormDialog({ action, busy, onSubmit, children, ...props }: FormDialogProps) {
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
          <Button onClick={props.onClose}>{t.actions.cancel}</Button>
          <Button type="submit" form={id} variant="primary" busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} className="stack" onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  )
}

interface ConfirmDialogProps {
  onClose: () => void
  title: ReactNode
  /** What will happen, and to what. */
  children: ReactNode
  /** The label of the confirm button: a verb. */
  action: string
  danger?: boolean
  mutation: { isPending: boolean; error: unknown }
  onConfirm: () => void
}

/** Asks for confirmation. It stays open until the action has succeeded. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { onClose, title, children, action, danger, mutation, onConfirm } = props
  const { t } = useLanguage()
  return (
    <Modal
      role="alertdialog"
      dismissible={false}
      onClose={onClose}
      title={title}
      description={children}
      footer={
        <>
          <Button data-initial-focus onClick={onClose}>
            {t.actions.cancel}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={mutation.isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <ErrorNotice error={mutation.error} />
    </Modal>
  )
}
