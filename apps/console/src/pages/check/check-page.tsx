import { useLanguage } from '../../i18n/language.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ScanSearch } from '../../ui/icons.ts'
import { Page } from '../../ui/page.tsx'
import { CodeCheck } from './code-check.tsx'
import { Responses } from './responses.tsx'
import { useCheckTexts } from './texts.ts'

export default function CheckPage() {
  const { t } = useLanguage()
  const texts = useCheckTexts()
  return (
    <Page title={t.nav.check} lead={texts.lead}>
      <CodeCheck
        keptAs={['check']}
        details={(check) => <Responses check={check} />}
        empty={
          <EmptyState icon={ScanSearch} title={texts.empty}>
            {texts.emptyText}
          </EmptyState>
        }
      />
    </Page>
  )
}
