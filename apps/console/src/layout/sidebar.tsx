import type { ConsoleWorkspace } from '@saleproof/schema/console'
import { type ReactNode, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useSignedIn, useSignOut } from '../api/session.ts'
import { paths, pathTo } from '../app/pages.ts'
import { useLanguage } from '../i18n/language.tsx'
import { BookOpenText, ChevronDown, LogOut, Plus } from '../ui/icons.ts'
import { Logo } from '../ui/logo.tsx'
import { isAt, type NavItem, navItems } from './nav-items.ts'
import styles from './sidebar.module.css'

export function NavLink({ item, workspace }: { item: NavItem; workspace: string }) {
  const { t } = useLanguage()
  const [location] = useLocation()
  const { path, name, icon: Icon } = item
  const target = pathTo(path, { workspace })
  return (
    <li>
      <Link
        to={target}
        className={styles.link}
        aria-current={isAt(location, target, path) ? 'page' : undefined}
      >
        <Icon size={18} aria-hidden />
        <span>{name(t.nav)}</span>
      </Link>
    </li>
  )
}

/** The first letters of a name, in place of a picture. */
export const Mark = ({ name }: { name: string }) => (
  <span className={styles.mark} aria-hidden>
    {[...name.trim()][0]?.toUpperCase()}
  </span>
)

function Choice({
  to,
  children,
  current,
  onClick,
}: {
  to: string
  children: ReactNode
  current?: boolean
  onClick: () => void
}) {
  return (
    <li>
      <Link to={to} className={styles.link} aria-current={current ? 'true' : undefined} onClick={onClick}>
        {children}
      </Link>
    </li>
  )
}

/** The workspaces of the account, and a way to a new one. */
export function WorkspaceChoices({
  current,
  onChoose = () => {},
}: {
  current: string
  onChoose?: () => void
}) {
  const { t } = useLanguage()
  const { workspaces } = useSignedIn()
  return (
    <ul className={styles.links}>
      {workspaces.map(({ slug, name }) => (
        <Choice
          key={slug}
          to={pathTo(paths.overview, { workspace: slug })}
          current={slug === current}
          onClick={onChoose}
        >
          <Mark name={name} />
          <span>{name}</span>
        </Choice>
      ))}
      <Choice to={paths.newWorkspace} onClick={onChoose}>
        <Plus size={18} aria-hidden />
        {t.nav.newWorkspace}
      </Choice>
    </ul>
  )
}

/** Opens in place, so that nothing is covered and nothing has to be closed. */
function WorkspaceSwitch({ current }: { current: ConsoleWorkspace }) {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.switch}>
      <button
        type="button"
        className={styles.current}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Mark name={current.name} />
        <span>
          {current.name}
          <span className="visually-hidden"> ({t.nav.switchWorkspace})</span>
        </span>
        <ChevronDown size={16} aria-hidden />
      </button>
      <div id={id} className={styles.choices} hidden={!open}>
        <WorkspaceChoices current={current.slug} onChoose={() => setOpen(false)} />
      </div>
    </div>
  )
}

function WorkspaceLinks({ workspace }: { workspace: string }) {
  const { t } = useLanguage()
  const { overview, items, purchases, check, apiAccess, settings } = navItems
  return (
    <div>
      <ul className={styles.links}>
        {[overview, items, purchases, check].map((item) => (
          <NavLink key={item.path} {...{ item, workspace }} />
        ))}
      </ul>
      <p className={styles.group}>{t.nav.settings}</p>
      <ul className={styles.links}>
        {[apiAccess, settings].map((item) => (
          <NavLink key={item.path} {...{ item, workspace }} />
        ))}
      </ul>
    </div>
  )
}

/** The reference is a page of the service, not of the console. */
export const referenceAddress = () => new URL('../docs', document.baseURI).href

export function AccountLinks() {
  const { t } = useLanguage()
  const { account } = useSignedIn()
  const [location] = useLocation()
  const signOut = useSignOut()
  return (
    <ul className={styles.footer}>
      <li>
        <a className={styles.link} href={referenceAddress()}>
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
          <Mark name={account.name.full_name || account.username} />
          <span>{account.name.full_name || account.username}</span>
        </Link>
      </li>
      <li>
        <button type="button" className={styles.link} onClick={() => signOut.mutate()}>
          <LogOut size={18} aria-hidden />
          <span>{t.actions.signOut}</span>
        </button>
      </li>
    </ul>
  )
}

export function Sidebar({ workspace }: { workspace: ConsoleWorkspace | undefined }) {
  const { t } = useLanguage()
  return (
    <>
      <Link to={paths.home} className={styles.brand}>
        <Logo size={28} />
        {t.product}
      </Link>
      {workspace && <WorkspaceSwitch key={workspace.slug} current={workspace} />}
      {workspace && <WorkspaceLinks workspace={workspace.slug} />}
      <AccountLinks />
    </>
  )
}
