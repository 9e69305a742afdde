import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  /** For screen readers. */
  label: string
  /** The text to copy. */
  text: string
  copyLabel: string
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean
  /** The text with syntax highlighting; plain text without. */
  children?: ReactNode
}

export const CodeBlock = ({ label, text, copyLabel, wrap, children }: CodeBlockProps) => (
  <div className={classes(styles.code, wrap && styles.wrap)}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard. */}
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <pre>
        <code>{children ?? text}</code>
      </pre>
    </section>
    <div className={styles.copy}>
      <CopyButton text={text} label={copyLabel} iconOnly small variant="quiet" />
    </div>
  </div>
)
