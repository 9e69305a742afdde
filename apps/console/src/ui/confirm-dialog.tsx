import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { errorText } from './error-state.tsx'
import { Notice } from './notice.tsx'

interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** What will happen. */
  children: ReactNode
  /** What is done, as a verb. */
  action: string
  danger?: boolean
  busy: boolean
  error: unknown
  onConfirm: () => void
}

/** Asks before something is done. It closes when it is done, not before: until then nobody knows. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  danger,
  busy,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useLanguage()
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={styles.popup} initialFocus={cancel}>
            <div className={styles.head}>
              <Base.Title>{title}</Base.Title>
            </div>
            <div className={styles.body}>
              <Base.Description render={<div />}>{children}</Base.Description>
              {Boolean(error) && (
                <Notice tone="bad" live>
                  {errorText(error, t)}
                </Notice>
              )}
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
