import type { ConsoleWorkspace } from '@saleproof/schema/console'
import { type ReactNode, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useSignedIn, useSignOut } from '../api/session.ts'
import { paths, pathTo } from '../app/pages.ts'
import { useLanguage } from '../i18n/language.tsx'
import { BookOpenText, ChevronDown, LogOut, Plus } from '../ui/icons.ts'
import { Logo } from '../ui/logo.tsx'
import { isActive, type NavItem, navItems } from './nav-items.ts'
import styles from './sidebar.module.css'

interface NavLinksProps {
  items: readonly NavItem[]
  workspace: string
}

export function NavLinks({ items, workspace }: NavLinksProps) {
  const { t } = useLanguage()
  const [location] = useLocation()
  return (
    <ul className={styles.links}>
      {items.map(({ path, label, icon: Icon }) => {
        const target = pathTo(path, { workspace })
        const active = isActive(location, target, path)
        return (
          <li key={path}>
            <Link to={target} className={styles.link} aria-current={active ? 'page' : undefined}>
              <Icon size={18} aria-hidden />
              <span>{t.nav[label]}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const Initial = ({ name }: { name: string }) => (
  <span className={styles.initial} aria-hidden>
    {[...name.trim()][0]?.toUpperCase()}
  </span>
)

interface WorkspaceLinkProps {
  to: string
  current?: boolean
  onClick: (() => void) | undefined
  children: ReactNode
}

const WorkspaceLink = ({ to, current, onClick, children }: WorkspaceLinkProps) => (
  <li>
    <Link to={to} className={styles.link} aria-current={current ? 'true' : undefined} onClick={onClick}>
      {children}
    </Link>
  </li>
)

interface WorkspaceLinksProps {
  current: string
  onSelect?: () => void
}

/** The workspaces of the account, and a link to create one. */
export function WorkspaceLinks({ current, onSelect }: WorkspaceLinksProps) {
  const { t } = useLanguage()
  const { workspaces } = useSignedIn()
  return (
    <ul className={styles.links}>
      {workspaces.map(({ slug, name }) => (
        <WorkspaceLink
          key={slug}
          to={pathTo(paths.overview, { workspace: slug })}
          current={slug === current}
          onClick={onSelect}
        >
          <Initial name={name} />
          <span>{name}</span>
        </WorkspaceLink>
      ))}
      <WorkspaceLink to={paths.newWorkspace} onClick={onSelect}>
        <Plus size={18} aria-hidden />
        {t.nav.newWorkspace}
      </WorkspaceLink>
    </ul>
  )
}

/** Expands in place, so that it covers nothing. */
function WorkspaceSwitcher({ current }: { current: ConsoleWorkspace }) {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.switcher}>
      <button
        type="button"
        className={styles.current}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Initial name={current.name} />
        <span>
          {current.name}
          <span className="visually-hidden"> ({t.nav.switchWorkspace})</span>
        </span>
        <ChevronDown size={16} aria-hidden />
      </button>
      <div id={id} className={styles.workspaces} hidden={!open}>
        <WorkspaceLinks current={current.slug} onSelect={() => setOpen(false)} />
      </div>
    </div>
  )
}

/** The API reference is a page of the service, not of the console. */
const referenceUrl = () => new URL('../docs', document.baseURI).href

export function AccountLinks() {
  const { t } = useLanguage()
  const { account, service } = useSignedIn()
  const [location] = useLocation()
  const signOut = useSignOut()
  const name = account.name.full_name || account.username
  return (
    <ul className={styles.footer}>
      <li>
        <a className={styles.link} href={referenceUrl()}>
          <BookOpenText size={18} aria-hidden />
          <span>{t.nav.reference}</span>
        </a>
      </li>
      <li>
        <Link
          to={paths.account}
          className={styles.link}
          aria-current={location === paths.account ? 'page' : undefined}
        >
          <Initial name={name} />
          <span>{name}</span>
        </Link>
      </li>
      <li>
        <button type="button" className={styles.link} onClick={() => signOut.mutate()}>
          <LogOut size={18} aria-hidden />
          <span>{t.actions.signOut}</span>
        </button>
      </li>
      <li className={styles.version}>
        {t.product} {service.version}
      </li>
    </ul>
  )
}

export function Sidebar({ workspace }: { workspace: ConsoleWorkspace | undefined }) {
  const { t } = useLanguage()
  const { overview, items, purchases, check, apiAccess, settings, activity } = navItems
  return (
    <>
      <Link to={paths.home} className="brand">
        <Logo size={28} />
        {t.product}
      </Link>
      {workspace && (
        <>
          <WorkspaceSwitcher key={workspace.slug} current={workspace} />
          <div>
            <NavLinks items={[overview, items, purchases, check]} workspace={workspace.slug} />
            <p className={styles.group}>{t.nav.settings}</p>
            <NavLinks items={[apiAccess, settings, activity]} workspace={workspace.slug} />
          </div>
        </>
      )}
      <AccountLinks />
    </>
  )
}
