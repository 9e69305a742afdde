import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons.ts'
import styles from './notice.module.css'

const icons = { success: CircleCheck, warning: TriangleAlert, error: CircleAlert, info: Info }

interface NoticeProps {
  tone: Tone
  /** Announced by screen readers as soon as it appears. */
  live?: boolean
  children: ReactNode
}

export function Notice({ tone, live, children }: NoticeProps) {
  const Icon = icons[tone]
  const liveRole = tone === 'error' ? 'alert' : 'status'
  return (
    <div className={styles.notice} data-tone={tone} role={live ? liveRole : undefined}>
      <Icon size={20} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
