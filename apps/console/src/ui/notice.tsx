import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons.ts'
import styles from './notice.module.css'

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert, note: Info }

interface NoticeProps {
  tone: keyof typeof icons
  /** Read out as soon as it appears: what somebody has just done did not work, or did. */
  live?: boolean
  children: ReactNode
}

export function Notice({ tone, live, children }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div
      className={classes(styles.notice, styles[tone])}
      role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}
    >
      <Icon size={20} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
