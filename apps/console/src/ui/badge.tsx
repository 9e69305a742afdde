import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classes } from './classes.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'plain'

export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes(styles.badge, styles[tone])}>{children}</span>
)
