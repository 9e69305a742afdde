import type { ConsoleWorkspace } from '@saleproof/schema/console'
import { type ReactNode, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useSignedIn, useSignOut } from '../api/session.ts'
import { paths, pathTo } from '../app/pages.ts'
import { serviceUrl } from '../app/service-url.ts'
import { useLanguage } from '../i18n/language.tsx'
import type { Messages } from '../messages/en/index.ts'
import {
  BookOpenText,
  Boxes,
  ChartNoAxesColumn,
  ChevronDown,
  Ellipsis,
  History,
  KeyRound,
  LogOut,
  type LucideIcon,
  Plus,
  ReceiptText,
  ScanSearch,
  ShieldCheck,
  SlidersHorizontal,
} from '../ui/icons.ts'
import { Logo } from '../ui/logo.tsx'
import styles from './sidebar.module.css'

/** The pages of the navigation, by the names of their paths and labels. */
export const navIcons = {
  overview: ChartNoAxesColumn,
  items: Boxes,
  purchases: ReceiptText,
  check: ScanSearch,
  apiAccess: KeyRound,
  passes: ShieldCheck,
  workspace: SlidersHorizontal,
  activity: History,
  more: Ellipsis,
} satisfies Partial<Record<keyof typeof paths & keyof Messages['nav'], LucideIcon>>

type NavName = keyof typeof navIcons

/** Whether the page at `location` belongs to a link. Every path begins with that of the overview, so it has to match exactly. */
export const isActive = (location: string, target: string, name: NavName) =>
  location === target || (name !== 'overview' && location.startsWith(`${target}/`))

interface NavLinkProps {
  to: string
  current?: 'page' | 'true' | false
  onClick?: (() => void) | undefined
  children: ReactNode
}

const NavLink = ({ to, current, onClick, children }: NavLinkProps) => (
  <li>
    <Link to={to} className={styles.link} aria-current={current || undefined} onClick={onClick}>
      {children}
    </Link>
  </li>
)

interface NavLinksProps {
  names: readonly NavName[]
  workspace: string
}

export function NavLinks({ names, workspace }: NavLinksProps) {
  const { t } = useLanguage()
  const [location] = useLocation()
  return (
    <ul className={styles.links}>
      {names.map((name) => {
        const target = pathTo(paths[name], { workspace })
        const Icon = navIcons[name]
        return (
          <NavLink key={name} to={target} current={isActive(location, target, name) && 'page'}>
            <Icon size={18} aria-hidden />
            <span>{t.nav[name]}</span>
          </NavLink>
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
        <NavLink
          key={slug}
          to={pathTo(paths.overview, { workspace: slug })}
          current={slug === current && 'true'}
          onClick={onSelect}
        >
          <Initial name={name} />
          <span>{name}</span>
        </NavLink>
      ))}
      <NavLink to={paths.newWorkspace} onClick={onSelect}>
        <Plus size={18} aria-hidden />
        {t.nav.newWorkspace}
      </NavLink>
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

export function AccountLinks() {
  const { t } = useLanguage()
  const { account, service } = useSignedIn()
  const [location] = useLocation()
  const signOut = useSignOut()
  const name = account.name.full_name || account.username
  return (
    <ul className={styles.footer}>
      <li>
        <a className={styles.link} href={serviceUrl('docs')}>
          <BookOpenText size={18} aria-hidden />
          <span>{t.nav.reference}</span>
        </a>
      </li>
      <NavLink to={paths.account} current={location === paths.account && 'page'}>
        <Initial name={name} />
        <span>{name}</span>
      </NavLink>
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

/** The pages of the settings, in the order of the navigation. */
export const settingsNames = ['apiAccess', 'passes', 'workspace', 'activity'] as const

export function Sidebar({ workspace }: { workspace: ConsoleWorkspace | undefined }) {
  const { t } = useLanguage()
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
            <NavLinks names={['overview', 'items', 'purchases', 'check']} workspace={workspace.slug} />
            <p className="nav-group">{t.nav.settings}</p>
            <NavLinks names={settingsNames} workspace={workspace.slug} />
          </div>
        </>
      )}
      <AccountLinks />
    </>
  )
}
