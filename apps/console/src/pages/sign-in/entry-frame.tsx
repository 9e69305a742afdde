import type { ReactNode } from 'react'
import { LanguageSelect, ThemeSelect } from '../../ui/appearance.tsx'
import { Logo } from '../../ui/logo.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import styles from './sign-in.module.css'

interface EntryFrameProps {
  title: string
  subtitle?: string
  children: ReactNode
}

/** The frame of the pages before signing in. */
export function EntryFrame({ title, subtitle, children }: EntryFrameProps) {
  usePageTitle(title)
  return (
    <div className={styles.page}>
      <main className={styles.form}>
        <div className={styles.head}>
          <Logo size={44} />
          <h1>{title}</h1>
          {subtitle && <p className="secondary">{subtitle}</p>}
        </div>
        {children}
      </main>
      <footer className={styles.footer}>
        <LanguageSelect />
        <ThemeSelect iconsOnly />
      </footer>
    </div>
  )
}
