import { type ReactNode, useEffect, useRef } from 'react'
import { Link, matchRoute, useLocation, useRouter } from 'wouter'
import { preferences } from '../app/local-storage.ts'
import { paths, pathTo } from '../app/pages.ts'
import { preloadPage } from '../app/routes.ts'
import { useCurrentWorkspace } from '../app/workspace.ts'
import { useLanguage } from '../i18n/language.tsx'
import { Logo } from '../ui/logo.tsx'
import styles from './layout.module.css'
import { isAt, navItems } from './nav-items.ts'
import { Sidebar } from './sidebar.tsx'

const tabs = [navItems.overview, navItems.purchases, navItems.check, navItems.items, navItems.more]

/** What has no tab of its own is found under the last one. */
const belowMore = [paths.apiAccess, paths.settings]

function Tabs({ workspace }: { workspace: string }) {
  const { t } = useLanguage()
  const [location] = useLocation()
  const isBelowMore = belowMore.some((path) => location === pathTo(path, { workspace }))
  return (
    <nav className={styles.tabs} aria-label={t.nav.label}>
      <ul>
        {tabs.map(({ path, name, icon: Icon }) => {
          const target = pathTo(path, { workspace })
          const current = isAt(location, target, path) || (path === paths.more && isBelowMore)
          return (
            <li key={path}>
              <Link to={target} aria-current={current ? 'page' : undefined}>
                <Icon aria-hidden />
                <span>{path === paths.check ? t.nav.checkShort : name(t.nav)}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function useSlugOfAddress(): string | undefined {
  const { parser } = useRouter()
  const [location] = useLocation()
  const [matches, parameters] = matchRoute(parser, '/w/:workspace/*?', location)
  return matches ? parameters.workspace : undefined
}

/** A new page begins at its top; going back, the browser knows where it was. */
function useScrollToTop() {
  const [location] = useLocation()
  const before = useRef(location)
  const wentBack = useRef(false)
  useEffect(() => {
    const note = () => {
      wentBack.current = true
    }
    addEventListener('popstate', note)
    return () => removeEventListener('popstate', note)
  }, [])
  useEffect(() => {
    if (before.current !== location && !wentBack.current) scrollTo(0, 0)
    before.current = location
    wentBack.current = false
  }, [location])
}

/** Whoever points at a link is about to follow it: its page is loaded meanwhile. */
function usePreparedPages() {
  const { base } = useRouter()
  useEffect(() => {
    const note = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.href.startsWith(`${location.origin}${base}/`)) preloadPage(link.pathname.slice(base.length))
    }
    addEventListener('pointerover', note)
    addEventListener('focusin', note)
    return () => {
      removeEventListener('pointerover', note)
      removeEventListener('focusin', note)
    }
  }, [base])
}

export function Layout({ children }: { children: ReactNode }) {
  const { t } = useLanguage()
  const slug = useSlugOfAddress()
  const workspace = useCurrentWorkspace(slug)
  const main = useRef<HTMLElement>(null)
  useScrollToTop()
  usePreparedPages()
  useEffect(() => {
    if (workspace && workspace.slug === slug) preferences.set('workspace', workspace.slug)
  }, [workspace, slug])
  return (
    <div className={styles.layout}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t.skip}
      </button>
      <nav className={styles.side} aria-label={t.nav.label}>
        <Sidebar workspace={workspace} />
      </nav>
      <div>
        <header className={styles.top}>
          <Logo size={28} />
          <strong>{workspace?.name ?? t.product}</strong>
        </header>
        <main className={styles.main} ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
      {workspace && <Tabs workspace={workspace.slug} />}
    </div>
  )
}
