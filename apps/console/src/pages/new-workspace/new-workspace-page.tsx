import { useLanguage } from '../../language/language.tsx'
import { Page } from '../../ui/page.tsx'

export default function NewWorkspacePage() {
  const { t } = useLanguage()
  return <Page title={t.nav.newWorkspace}>{null}</Page>
}
