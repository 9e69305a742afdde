import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { ErrorNotice } from './error-state.tsx'

interface ConfirmDialogProps {
  onClose: () => void
  title: ReactNode
  /** What will happen. */
  children: ReactNode
  /** The label of the confirm button: a verb. */
  action: string
  danger?: boolean
  busy: boolean
  error: unknown
  onConfirm: () => void
}

/** Asks for confirmation. It stays open until the action has succeeded. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { onClose, title, children, action, danger, busy, error, onConfirm } = props
  const { t } = useLanguage()
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={styles.popup} initialFocus={cancel}>
            <div className={styles.head}>
              <Base.Title>{title}</Base.Title>
            </div>
            <div className={styles.body}>
              <Base.Description render={<div />}>{children}</Base.Description>
              <ErrorNotice error={error} />
            </div>
            <div className={styles.footer}>
              <Base.Close render={<Button ref={cancel} />}>{t.actions.cancel}</Base.Close>
              <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
                {action}
              </Button>
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
