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

export const Stamp = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={styles.stamp} data-tone={tone}>
    {children}
  </span>
)
