import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { LoaderCircle } from './icons.ts'

interface Look {
  look?: 'plain' | 'primary' | 'danger' | 'quiet'
  small?: boolean
  /** Shows nothing but this; the label is for those who hear the page. */
  icon?: boolean
}

const classOf = ({ look = 'plain', small, icon }: Look, more?: string) =>
  classes(styles.button, look !== 'plain' && styles[look], small && styles.small, icon && styles.icon, more)

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'type'> {
  type?: 'button' | 'submit'
  /** Something is under way: the button stays where it is, keeps the focus, and does nothing. */
  busy?: boolean
}

export function Button({ look, small, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ look, small, icon } as Look, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {busy && <LoaderCircle className={styles.busy} size={18} aria-hidden />}
      {busy && icon ? null : children}
    </button>
  )
}

interface LinkButtonProps extends Look {
  to: string
  children: ReactNode
  className?: string
}

export const LinkButton = ({ to, children, className, ...look }: LinkButtonProps) => (
  <Link to={to} className={classOf(look, className)}>
    {children}
  </Link>
)
