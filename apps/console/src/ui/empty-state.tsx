import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  icon: LucideIcon
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  isError?: boolean
  /** What it replaces: a card, another part of a page, a page, or the whole window. */
  scope?: 'card' | 'section' | 'page' | 'app' | undefined
}

/** Shown in place of content that is missing, not found or failed to load. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
  isError,
  scope = 'section',
}: EmptyStateProps) {
  const Title = scope === 'page' || scope === 'app' ? 'h1' : 'h2'
  const Container = scope === 'app' ? 'main' : 'div'
  return (
    <Container
      className={classes(styles.state, scope === 'app' && styles.app, scope === 'card' && 'surface')}
      role={isError ? 'alert' : undefined}
    >
      <span className={classes(styles.icon, isError && styles.error)}>
        <Icon size={26} aria-hidden />
      </span>
      <Title>{title}</Title>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </Container>
  )
}
