import type { ReactNode, Ref } from 'react'
import type { Tone } from './badge.tsx'
import { classes } from './classes.ts'
import styles from './receipt.module.css'

interface ReceiptProps {
  ref?: Ref<HTMLDivElement>
  className?: string | undefined
  children: ReactNode
}

export const Receipt = ({ ref, className, children }: ReceiptProps) => (
  <div ref={ref} className={styles.shadow}>
    <div className={classes(styles.receipt, className)}>{children}</div>
  </div>
)

interface StampProps {
  tone: Tone
  animated?: boolean
  children: ReactNode
}

export const Stamp = ({ tone, animated, children }: StampProps) => (
  <span className={classes(styles.stamp, animated && styles.animated)} data-tone={tone}>
    {children}
  </span>
)
