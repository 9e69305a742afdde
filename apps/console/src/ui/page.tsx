import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { classes } from './classes.ts'
import { ArrowLeft } from './icons.ts'
import styles from './page.module.css'

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Saleproof`
  }, [title])
}

/** The browser handles the focus of the first page. */
let isFirstPage = true

/** Moves the focus to the title of a new page, for screen readers and the keyboard. */
function useTitleFocus() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  return heading
}

interface PageProps {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  back?: { to: string; label: string }
  children: ReactNode
}

export function Page({ title, lead, actions, back, children }: PageProps) {
  usePageTitle(title)
  const heading = useTitleFocus()
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.titles}>
          {back && (
            <Link to={back.to} className={styles.back}>
              <ArrowLeft size={16} aria-hidden />
              {back.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface CardProps {
  title?: string
  description?: string | undefined
  className?: string | undefined
  children: ReactNode
}

export const Card = ({ title, description, className, children }: CardProps) => (
  <section className={classes(styles.card, className)}>
    {title && <h2>{title}</h2>}
    {description && <p className={styles.description}>{description}</p>}
    {children}
  </section>
)
