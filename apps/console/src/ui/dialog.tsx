import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { useLanguage } from '../i18n/language.tsx'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
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
  /** The element that gets the focus; the first focusable one without. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Whether a click outside closes it; false where that would lose what it holds. */
  dismissible?: boolean
}

/** A modal dialog; on a phone it slides in from the bottom. */
export function Dialog(props: DialogProps) {
  const { onClose, title, description, children, footer, panel, initialFocus, dismissible = true } = props
  const { t } = useLanguage()
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()} disablePointerDismissal={!dismissible}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={classes(styles.viewport, panel && styles.panelView)}>
          <Base.Popup className={classes(styles.popup, panel && styles.panel)} initialFocus={initialFocus}>
            <div className={styles.head}>
              <div>
                <Base.Title>{title}</Base.Title>
                {description && (
                  <Base.Description className={styles.description}>{description}</Base.Description>
                )}
              </div>
              <Base.Close render={<Button variant="quiet" iconOnly small aria-label={t.actions.close} />}>
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
