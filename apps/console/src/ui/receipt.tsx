import type { ReactNode, Ref } from 'react'
import { classes } from './classes.ts'
import styles from './receipt.module.css'

interface ReceiptProps {
  ref?: Ref<HTMLDivElement>
  className?: string | undefined
  children: ReactNode
}

export const Receipt = ({ ref, className, children }: ReceiptProps) => (
  <div ref={ref} className={styles.around}>
    <div className={classes(styles.receipt, className)}>{children}</div>
  </div>
)

interface StampProps {
  tone: 'good' | 'warn' | 'bad'
  /** Comes down on the paper when it appears. */
  pressed?: boolean
  children: ReactNode
}

export const Stamp = ({ tone, pressed, children }: StampProps) => (
  <span className={classes(styles.stamp, styles[tone], pressed && styles.pressed)}>{children}</span>
)
