import { useLanguage } from '../i18n/language.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Compass } from '../ui/icons.ts'
import { usePageTitle } from '../ui/page.tsx'
import { paths } from './pages.ts'

export function NotFoundPage() {
  const { t } = useLanguage()
  usePageTitle(t.states.notFound)
  return (
    <EmptyState
      scope="page"
      icon={Compass}
      title={t.states.notFound}
      actions={
        <LinkButton variant="primary" to={paths.home}>
          {t.states.goHome}
        </LinkButton>
      }
    >
      {t.states.notFoundText}
    </EmptyState>
  )
}
