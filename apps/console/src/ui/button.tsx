import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { LoaderCircle } from './icons.ts'

interface ButtonStyle {
  variant?: 'primary' | 'danger' | 'quiet' | undefined
  small?: boolean | undefined
  /** Shows only an icon; set `aria-label`. */
  iconOnly?: boolean | undefined
}

const buttonClass = ({ variant, small, iconOnly }: ButtonStyle, className?: string) =>
  classes(
    styles.button,
    variant && styles[variant],
    small && styles.small,
    iconOnly && styles.icon,
    className,
  )

interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'type'> {
  type?: 'button' | 'submit'
  /** Ignores clicks while true, but keeps its size and the focus. */
  busy?: boolean
}

export function Button({
  variant,
  small,
  iconOnly,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, small, iconOnly }, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {busy && <LoaderCircle className={styles.busy} size={18} aria-hidden />}
      {busy && iconOnly ? null : children}
    </button>
  )
}

interface LinkButtonProps extends ButtonStyle {
  to: string
  children: ReactNode
}

export const LinkButton = ({ to, children, ...style }: LinkButtonProps) => (
  <Link to={to} className={buttonClass(style)}>
    {children}
  </Link>
)
