import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { AccountLinks, NavLinks, settingsNames, WorkspaceLinks } from '../../layout/sidebar.tsx'
import { LanguageSelect, ThemeSelect } from '../../ui/appearance.tsx'
import { Card, Page } from '../../ui/page.tsx'

/** On a phone: everything that has no tab. */
export default function MorePage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  return (
    <Page title={t.nav.more}>
      <Card title={t.nav.settings}>
        <NavLinks names={settingsNames} workspace={slug} />
      </Card>
      <Card title={t.nav.workspaces}>
        <WorkspaceLinks current={slug} />
      </Card>
      <Card title={t.nav.account}>
        <div className="stack">
          <AccountLinks />
          <LanguageSelect />
          <ThemeSelect />
        </div>
      </Card>
    </Page>
  )
}
