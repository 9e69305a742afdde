import { onlineManager } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { Link, matchRoute, useLocation, useRouter } from 'wouter'
import { preferences } from '../app/local-storage.ts'
import { paths, pathTo } from '../app/pages.ts'
import { preloadPage } from '../app/routes.ts'
import { useCurrentWorkspace } from '../app/workspace.ts'
import { useLanguage } from '../i18n/language.tsx'
import { Logo } from '../ui/logo.tsx'
import { Notice } from '../ui/notice.tsx'
import styles from './layout.module.css'
import { isActive, navIcons, Sidebar, settingsNames } from './sidebar.tsx'

/** The tab bar of phones. The pages without a tab are linked from the last one. */
const tabs = ['overview', 'purchases', 'check', 'items', 'more'] as const

function TabBar({ workspace }: { workspace: string }) {
  const { t } = useLanguage()
  const [location] = useLocation()
  const isUnderMore = settingsNames.some((name) => location === pathTo(paths[name], { workspace }))
  return (
    <nav className={styles.tabs} aria-label={t.nav.label}>
      <ul>
        {tabs.map((name) => {
          const target = pathTo(paths[name], { workspace })
          const active = isActive(location, target, name) || (name === 'more' && isUnderMore)
          const Icon = navIcons[name]
          return (
            <li key={name}>
              <Link to={target} aria-current={active ? 'page' : undefined}>
                <Icon aria-hidden />
                <span>{t.nav[name === 'check' ? 'checkShort' : name]}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function useWorkspaceSlug(): string | undefined {
  const { parser } = useRouter()
  const [location] = useLocation()
  const [matches, params] = matchRoute(parser, '/w/:workspace/*?', location)
  return matches ? params.workspace : undefined
}

/** Scrolls a new page to the top. Going back, the browser restores the position. */
function useScrollToTop() {
  const [location] = useLocation()
  const previousLocation = useRef(location)
  const wentBackTo = useRef('')
  useEffect(() => {
    const onPopState = () => {
      wentBackTo.current = window.location.pathname
    }
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [])
  useEffect(() => {
    const wentBack = wentBackTo.current === window.location.pathname
    if (previousLocation.current !== location && !wentBack) scrollTo(0, 0)
    previousLocation.current = location
    wentBackTo.current = ''
  }, [location])
}

/** Preloads the page of a link that is hovered or focused. */
function usePreloadOnHover() {
  const { base } = useRouter()
  useEffect(() => {
    const preload = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.href.startsWith(`${location.origin}${base}/`)) preloadPage(link.pathname.slice(base.length))
    }
    addEventListener('pointerover', preload)
    addEventListener('focusin', preload)
    return () => {
      removeEventListener('pointerover', preload)
      removeEventListener('focusin', preload)
    }
  }, [base])
}

/** Requests of pages wait while the browser is offline, and are sent once it is online again. */
export function OfflineNotice() {
  const { t } = useLanguage()
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  )
  if (isOnline) return null
  return (
    <div className={styles.offline}>
      <Notice tone="warning" live>
        {t.states.offline}
      </Notice>
    </div>
  )
}

export function Layout({ children }: { children: ReactNode }) {
  const { t } = useLanguage()
  const slug = useWorkspaceSlug()
  const workspace = useCurrentWorkspace(slug)
  const main = useRef<HTMLElement>(null)
  useScrollToTop()
  usePreloadOnHover()
  useEffect(() => {
    if (workspace && workspace.slug === slug) preferences.set('workspace', workspace.slug)
  }, [workspace, slug])
  return (
    <div className={styles.layout}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t.skip}
      </button>
      <nav className={styles.sidebar} aria-label={t.nav.label}>
        <Sidebar workspace={workspace} />
      </nav>
      <div>
        <header className={styles.top}>
          <Logo size={28} />
          <strong>{workspace?.name ?? t.product}</strong>
        </header>
        <main className={styles.main} ref={main} tabIndex={-1}>
          <OfflineNotice />
          {children}
        </main>
      </div>
      {workspace && <TabBar workspace={workspace.slug} />}
    </div>
  )
}
