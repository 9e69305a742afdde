import { useParams } from 'wouter'
import { useLanguage } from '../../i18n/language.tsx'
import { navItems } from '../../layout/nav-items.ts'
import sidebarStyles from '../../layout/sidebar.module.css'
import { AccountLinks, NavLink, WorkspaceChoices } from '../../layout/sidebar.tsx'
import { LanguageChoice, ThemeChoice } from '../../ui/appearance.tsx'
import { Card, Page } from '../../ui/page.tsx'
import styles from './more.module.css'

/** What a phone has no room for around each page. */
export default function MorePage() {
  const { t } = useLanguage()
  const { workspace = '' } = useParams<{ workspace: string }>()
  return (
    <Page title={t.nav.more}>
      <Card title={t.nav.settings}>
        <ul className={sidebarStyles.links}>
          <NavLink item={navItems.apiAccess} workspace={workspace} />
          <NavLink item={navItems.settings} workspace={workspace} />
        </ul>
      </Card>
      <Card title={t.nav.workspaces}>
        <WorkspaceChoices current={workspace} />
      </Card>
      <Card title={t.nav.account}>
        <div className={styles.account}>
          <AccountLinks />
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </Card>
    </Page>
  )
}
