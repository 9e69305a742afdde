import type { ConsoleItemDetail } from '@saleproof/schema/console'
import { Link, useParams } from 'wouter'
import { ApiError } from '../../api/errors.ts'
import { useItem } from '../../api/items.ts'
import { NotFoundPage } from '../../app/not-found-page.tsx'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ShapeComparison } from '../../ui/json-view.tsx'
import { PageSkeleton } from '../../ui/loading.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ShortDate } from '../../ui/time.tsx'
import styles from './items.module.css'
import { Media } from './media.tsx'

const Words = ({ words }: { words: readonly string[] }) =>
  words.length === 0 ? null : (
    <span className={styles.lists}>
      {words.map((word) => (
        <Badge key={word} tone="plain">
          {word}
        </Badge>
      ))}
    </span>
  )

const Outside = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noreferrer noopener">
    {url.replace(/^https?:\/\//, '')}
  </a>
)

function ItemFacts({ detail: { item, base, purchases } }: { detail: ConsoleItemDetail }) {
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const names = t.items.detail
  const sold = `${pathTo(paths.purchases, { workspace: slug })}?item=${item.id}`
  return (
    <DescriptionList
      facts={[
        { name: names.id, value: item.id },
        { name: names.category, value: [item.category, item.sub_category].filter(Boolean).join(' · ') },
        { name: names.version, value: item.version },
        { name: names.published, value: <ShortDate at={item.published_at} /> },
        { name: names.regular, value: format.money(item.price.regular, item.currency) },
        { name: names.extended, value: format.money(item.price.extended, item.currency) },
        { name: names.support, value: item.support ? names.supported : names.unsupported },
        { name: names.sold, value: <Link to={sold}>{names.count(purchases)}</Link> },
        { name: names.page, value: <Outside url={item.url} /> },
        { name: names.demo, value: base.demo_link && <Outside url={base.demo_link} /> },
        { name: names.options, value: base.options.length > 0 && <Words words={base.options} />, wide: true },
        { name: names.tags, value: base.tags.length > 0 && <Words words={base.tags} />, wide: true },
      ].filter(({ value }) => value !== false)}
    />
  )
}

export default function ItemPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { item: id = '' } = useParams<{ item: string }>()
  const { data, error, refetch } = useItem(id)
  if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid'))
    return <NotFoundPage />
  if (error && !data) return <ErrorState page error={error} onRetry={refetch} />
  if (!data) return <PageSkeleton />
  const { shapes, detail, kinds } = t.items
  return (
    <Page
      title={data.item.name}
      lead={`${kinds[data.item.kind]}${data.base.description ? `. ${data.base.description}` : ''}`}
      back={{ to: pathTo(paths.items, { workspace: slug }), label: t.items.title }}
    >
      <Card title={detail.facts}>
        <ItemFacts detail={data} />
      </Card>
      <Media detail={data} />
      <Card title={shapes.title}>
        <p className={styles.text}>{shapes.text}</p>
        <ShapeComparison base={data.base} extended={data.extended} />
      </Card>
    </Page>
  )
}
