import { useState } from 'react'
import { useParams } from 'wouter'
import { ApiError } from '../../api/errors.ts'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { NotFoundPage } from '../../app/not-found-page.tsx'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ShapeComparison } from '../../ui/json-view.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { PageSkeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ItemDetails } from './item-details.tsx'
import { Media } from './media.tsx'

const ItemStateDialog = lazyWithPreload(() => import('./item-state-dialog.tsx'))

export default function ItemPage() {
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const { item: id = '' } = useParams<{ item: string }>()
  const { data, error, refetch } = useWorkspaceQuery('getItem', { id })
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState<string>()
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
        <>
          <Button onClick={() => setAsking(true)}>
            {t.items[item.withdrawn_at ? 'restoreItem' : 'withdrawItem'].submit}
          </Button>
          <LinkButton to={pathTo(paths.editItem, { workspace: slug, item: id })}>
            {t.items.form.edit}
          </LinkButton>
        </>
      }
      back={{ to: pathTo(paths.items, { workspace: slug }), label: t.nav.items }}
    >
      {done && (
        <Notice key={done} tone="success">
          {done}
        </Notice>
      )}
      {item.withdrawn_at && (
        <Notice tone="warning">{t.items.isWithdrawn(format.date(item.withdrawn_at))}</Notice>
      )}
      <Card title={t.items.details}>
        <ItemDetails detail={data} />
      </Card>
      <Media detail={data} />
      <Card title={shapes.title} description={shapes.text}>
        <ShapeComparison base={base} extended={extended} />
      </Card>
      {isAsking && (
        <ItemStateDialog
          item={item}
          onClose={() => setAsking(false)}
          onDone={(text) => {
            setAsking(false)
            setDone(text)
          }}
        />
      )}
    </Page>
  )
}
