import { useLanguage } from '../../language/language.tsx'
import { Page } from '../../ui/page.tsx'

export default function AccountPage() {
  const { t } = useLanguage()
  return <Page title={t.nav.account}>{null}</Page>
}
