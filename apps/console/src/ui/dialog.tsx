import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { X } from './icons.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  text?: ReactNode
  children?: ReactNode
  /** The buttons at its end. */
  footer?: ReactNode
  /** Stands at the side of the page, with room for a whole thing. */
  panel?: boolean
  /** What has the focus first; without, the first that can have it. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Whether a click outside closes it; false where that would lose what it holds. */
  dismissible?: boolean
}

/** In front of the page. On a phone it comes from below. */
export function Dialog({
  open,
  onClose,
  title,
  text,
  children,
  footer,
  panel,
  initialFocus,
  dismissible = true,
}: DialogProps) {
  const { t } = useLanguage()
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()} disablePointerDismissal={!dismissible}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={classes(styles.viewport, panel && styles.panelView)}>
          <Base.Popup
            className={classes(styles.popup, panel && styles.panel)}
            {...(initialFocus && { initialFocus })}
          >
            <div className={styles.head}>
              <div>
                <Base.Title>{title}</Base.Title>
                {text && <Base.Description className={styles.text}>{text}</Base.Description>}
              </div>
              <Base.Close render={<Button variant="quiet" icon small aria-label={t.actions.close} />}>
                <X size={20} aria-hidden />
              </Base.Close>
            </div>
            <div className={styles.body}>{children}</div>
            {footer && <div className={styles.footer}>{footer}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
