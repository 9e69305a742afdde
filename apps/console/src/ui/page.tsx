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

/** The first page is read from its beginning, as any page is. */
let isFirst = true

/** Whoever goes to another page hears its name, and goes on from there with the keyboard. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
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
  const heading = useFocusOnArrival()
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
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

export function Card({
  title,
  className,
  children,
}: {
  title?: string
  className?: string
  children: ReactNode
}) {
  return (
    <section className={classes(styles.card, className)}>
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}
