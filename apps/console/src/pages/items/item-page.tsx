import { useParams } from 'wouter'
import { ApiError } from '../../api/errors.ts'
import { useItem } from '../../api/items.ts'
import { NotFoundPage } from '../../app/not-found-page.tsx'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ShapeComparison } from '../../ui/json-view.tsx'
import { PageSkeleton } from '../../ui/loading.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ItemDetails } from './item-details.tsx'
import { Media } from './media.tsx'

export default function ItemPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { item: id = '' } = useParams<{ item: string }>()
  const { data, error, refetch } = useItem(id)
  if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid'))
    return <NotFoundPage />
  if (error && !data) return <ErrorState scope="page" error={error} onRetry={refetch} />
  if (!data) return <PageSkeleton />
  const { item, base, extended } = data
  const { shapes, kinds } = t.items
  return (
    <Page
      title={item.name}
      lead={[kinds[item.kind], base.description].filter(Boolean).join('. ')}
      actions={
        <LinkButton to={pathTo(paths.editItem, { workspace: slug, item: id })}>
          {t.items.form.edit}
        </LinkButton>
      }
      back={{ to: pathTo(paths.items, { workspace: slug }), label: t.items.title }}
    >
      <Card title={t.items.details}>
        <ItemDetails detail={data} />
      </Card>
      <Media detail={data} />
      <Card title={shapes.title} description={shapes.text}>
        <ShapeComparison base={base} extended={extended} />
      </Card>
    </Page>
  )
}
