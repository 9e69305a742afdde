import { useParams } from 'wouter'
import { useLanguage } from '../../language/language.tsx'
import { navItems } from '../../shell/nav-items.ts'
import sideStyles from '../../shell/side.module.css'
import { AccountLinks, SideLink, WorkspaceChoices } from '../../shell/side.tsx'
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
        <ul className={sideStyles.links}>
          <SideLink item={navItems.apiAccess} workspace={workspace} />
          <SideLink item={navItems.settings} workspace={workspace} />
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
