import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  /** What it is, for those who hear the page. */
  label: string
  /** What is copied. */
  text: string
  copyLabel: string
  /** Breaks long lines in place of scrolling them. */
  wrap?: boolean
  /** The text in colours; the text itself without. */
  children?: ReactNode
}

/** Code to read and to take along. It scrolls by itself, so that it can have the focus. */
export const CodeBlock = ({ label, text, copyLabel, wrap, children }: CodeBlockProps) => (
  <div className={classes(styles.code, wrap && styles.wrap)}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <pre>
        <code>{children ?? text}</code>
      </pre>
    </section>
    <div className={styles.copy}>
      <CopyButton text={text} label={copyLabel} icon small variant="quiet" />
    </div>
  </div>
)
