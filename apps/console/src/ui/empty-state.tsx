import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  icon: LucideIcon
  title: ReactNode
  children?: ReactNode
  /** What to do about it. */
  actions?: ReactNode
  bad?: boolean
  /** Stands for a page, within what surrounds all pages. */
  page?: boolean
  /** Stands for everything. */
  whole?: boolean
}

/** In place of what could be here: there is none yet, none that was looked for, or it could not be had. */
export function EmptyState({ icon: Icon, title, children, actions, bad, page, whole }: EmptyStateProps) {
  const Title = page || whole ? 'h1' : 'h2'
  const Box = whole ? 'main' : 'div'
  return (
    <Box className={classes(styles.state, whole && styles.whole)} role={bad ? 'alert' : undefined}>
      <span className={classes(styles.icon, bad && styles.bad)}>
        <Icon size={26} aria-hidden />
      </span>
      <Title>{title}</Title>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </Box>
  )
}
