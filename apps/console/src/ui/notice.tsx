import { type ReactNode, useEffect, useRef } from 'react'
import type { Tone } from './badge.tsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons.ts'
import styles from './notice.module.css'

const icons = { success: CircleCheck, warning: TriangleAlert, error: CircleAlert, info: Info }

interface NoticeProps {
  tone: Tone
  /** Announced by screen readers as soon as it appears, like every error; what takes the focus is read with it. */
  live?: boolean
  /** Gets the focus when it appears, like a success: what had it may be gone after the change that this reports. */
  takesFocus?: boolean
  children: ReactNode
}

export function Notice({ tone, live, takesFocus = tone === 'success', children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) notice.current?.focus()
    // The button whose press failed may be far below.
    else if (tone === 'error') notice.current?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus, tone])
  const Icon = icons[tone]
  const role = tone === 'error' ? 'alert' : live && !takesFocus ? 'status' : undefined
  return (
    <div
      ref={notice}
      tabIndex={takesFocus ? -1 : undefined}
      className={styles.notice}
      data-tone={tone}
      role={role}
    >
      <Icon size={20} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
