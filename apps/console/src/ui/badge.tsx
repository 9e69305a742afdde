import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'success' | 'warning' | 'error' | 'info'

export const Badge = ({ tone, children }: { tone?: Tone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
)
