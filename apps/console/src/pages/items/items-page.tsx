import type { ConsoleItem } from '@saleproof/schema/console'
import type { ItemKind } from '@saleproof/schema/constants'
import { Link } from 'wouter'
import { useWorkspaceList } from '../../api/queries.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { AudioLines, Boxes, Clapperboard, Image, Plus, SearchX } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { LoadMore, rowLinkClass, Table } from '../../ui/table.tsx'
import { ShortDate } from '../../ui/time.tsx'
import { Filters } from './filters.tsx'
import styles from './items.module.css'
import { useItemFilters } from './query.ts'

const icons = { image: Image, video: Clapperboard, audio: AudioLines } satisfies Record<ItemKind, unknown>

/** With an icon in place of the thumbnail, which another host would serve. */
function ItemName({ item }: { item: ConsoleItem }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { kinds, states } = t.items
  const Icon = icons[item.kind]
  const category = [item.category, item.sub_category].filter(Boolean).join(' · ')
  return (
    <span className={styles.item}>
      <span className={styles.kind} data-kind={item.kind} aria-hidden>
        <Icon size={20} />
      </span>
      <span>
        <Link className={rowLinkClass} to={pathTo(paths.item, { workspace: slug, item: String(item.id) })}>
          {item.name}
        </Link>
        {item.withdrawn_at && (
          <span className={styles.state}>
            <Badge tone="warning">{states.withdrawn}</Badge>
          </span>
        )}
        <small>
          {kinds[item.kind]} · {category} · {item.id}
        </small>
      </span>
    </span>
  )
}

function ItemTable({ items }: { items: readonly ConsoleItem[] }) {
  const { t, format } = useLanguage()
  const { columns, fields } = t.items
  const price = (license: 'regular' | 'extended') => ({
    name: columns[license],
    number: true,
    cell: ({ price, currency }: ConsoleItem) => format.money(price[license], currency),
  })
  return (
    <Table
      cards
      caption={t.nav.items}
      rows={items}
      rowKey={({ id }) => id}
      columns={[
        { name: columns.item, cell: (item) => <ItemName item={item} /> },
        { name: fields.version, cell: ({ version }) => version },
        price('regular'),
        price('extended'),
        { name: fields.published_at, cell: (item) => <ShortDate at={item.published_at} /> },
      ]}
    />
  )
}

function Results() {
  const { t } = useLanguage()
  const { filters, clear } = useItemFilters()
  const { sort: _, ...narrowing } = filters
  const results = useWorkspaceList('listItems', filters)
  const { data, error, refetch, isPlaceholderData } = results
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  const [firstPage] = data?.pages ?? []
  const items = data?.pages.flatMap((page) => page.items) ?? []
  if (firstPage?.total === 0 && Object.keys(narrowing).length === 0)
    return (
      <EmptyState scope="card" icon={Boxes} title={t.items.none}>
        {t.items.noneText}
      </EmptyState>
    )
  return (
    <>
      <Filters categories={firstPage?.categories ?? []} />
      <p className={styles.count} role="status">
        {firstPage && t.items.count(firstPage.total)}
      </p>
      {!firstPage && <Skeleton height="24rem" />}
      {items.length > 0 && (
        <div aria-busy={isPlaceholderData}>
          <ItemTable items={items} />
        </div>
      )}
      {firstPage && items.length === 0 && (
        <EmptyState
          scope="card"
          icon={SearchX}
          title={t.items.noneFound}
          actions={<Button onClick={clear}>{t.items.clearFilters}</Button>}
        >
          {t.items.noneFoundText}
        </EmptyState>
      )}
      <LoadMore query={results} />
    </>
  )
}

export default function ItemsPage() {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  return (
    <Page
      title={t.nav.items}
      lead={t.items.lead}
      actions={
        <>
          <LinkButton to={pathTo(paths.importRecords, { workspace: slug })}>{t.nav.import}</LinkButton>
          <LinkButton variant="primary" to={pathTo(paths.newItem, { workspace: slug })}>
            <Plus size={18} aria-hidden />
            {t.items.form.newTitle}
          </LinkButton>
        </>
      }
    >
      <Results />
    </Page>
  )
}
