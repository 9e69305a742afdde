import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { LoaderCircle } from './icons.ts'

interface ButtonStyle {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet'
  small?: boolean
  /** Shows nothing but this; the label is for those who hear the page. */
  icon?: boolean
}

const classOf = ({ variant = 'plain', small, icon }: ButtonStyle, more?: string) =>
  classes(
    styles.button,
    variant !== 'plain' && styles[variant],
    small && styles.small,
    icon && styles.icon,
    more,
  )

interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'type'> {
  type?: 'button' | 'submit'
  /** Something is under way: the button stays where it is, keeps the focus, and does nothing. */
  busy?: boolean
}

export function Button({ variant, small, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ variant, small, icon } as ButtonStyle, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {busy && <LoaderCircle className={styles.busy} size={18} aria-hidden />}
      {busy && icon ? null : children}
    </button>
  )
}

interface LinkButtonProps extends ButtonStyle {
  to: string
  children: ReactNode
  className?: string
}

export const LinkButton = ({ to, children, className, ...style }: LinkButtonProps) => (
  <Link to={to} className={classOf(style, className)}>
    {children}
  </Link>
)
