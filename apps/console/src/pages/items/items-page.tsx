import type { ConsoleItem } from '@saleproof/schema/console'
import { Link } from 'wouter'
import { useItems } from '../../api/items.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Boxes, SearchX } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Cell, HeadCell, Row, Table, tableStyles } from '../../ui/table.tsx'
import { ShortDate } from '../../ui/time.tsx'
import { Filters } from './filters.tsx'
import styles from './items.module.css'
import { KindIcon } from './kind-icon.tsx'
import { useItemQuery } from './query.ts'

function ItemRow({ item }: { item: ConsoleItem }) {
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const { columns, kinds } = t.items
  const category = [item.category, item.sub_category].filter(Boolean).join(' · ')
  return (
    <Row>
      <HeadCell>
        <span className={styles.item}>
          <KindIcon kind={item.kind} />
          <span>
            <Link
              className={tableStyles.open}
              to={pathTo(paths.item, { workspace: slug, item: String(item.id) })}
            >
              {item.name}
            </Link>
            <small>
              {kinds[item.kind]} · {category} · {item.id}
            </small>
          </span>
        </span>
      </HeadCell>
      <Cell label={columns.version}>{item.version}</Cell>
      <Cell number label={columns.regular}>
        {format.money(item.price.regular, item.currency)}
      </Cell>
      <Cell number label={columns.extended}>
        {format.money(item.price.extended, item.currency)}
      </Cell>
      <Cell label={columns.published}>
        <ShortDate at={item.published_at} />
      </Cell>
    </Row>
  )
}

function NoItems() {
  const { t } = useLanguage()
  const command = 'saleproof import items.ndjson'
  return (
    <Card>
      <EmptyState icon={Boxes} title={t.items.none}>
        <p>{t.items.noneText}</p>
        <div className={styles.command}>
          <CodeBlock label={t.items.noneText} text={command} copyLabel={t.actions.copy} />
        </div>
      </EmptyState>
    </Card>
  )
}

function ItemTable({ items }: { items: readonly ConsoleItem[] }) {
  const { t } = useLanguage()
  const { item, version, regular, extended, published } = t.items.columns
  const columns = [
    ...[{ name: item }, { name: version }, { name: regular, number: true }],
    ...[{ name: extended, number: true }, { name: published }],
  ]
  return (
    <div className={tableStyles.box}>
      <Table cards caption={t.items.title} columns={columns}>
        {items.map((each) => (
          <ItemRow key={each.id} item={each} />
        ))}
      </Table>
    </div>
  )
}

function Found() {
  const { t } = useLanguage()
  const { query, change, clear, isFiltered } = useItemQuery()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useItems(query)
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  const [first] = data?.pages ?? []
  const items = data?.pages.flatMap((page) => page.items) ?? []
  if (first && first.total === 0 && !isFiltered) return <NoItems />
  return (
    <>
      <Filters query={query} change={change} categories={first?.categories ?? []} />
      <p className={styles.count} role="status">
        {first && t.items.count(first.total)}
      </p>
      {!first && <Skeleton height="24rem" />}
      {items.length > 0 && (
        <div className={classes(isPlaceholderData && styles.stale)}>
          <ItemTable items={items} />
        </div>
      )}
      {first && items.length === 0 && (
        <Card>
          <EmptyState
            icon={SearchX}
            title={t.items.noneFound}
            actions={<Button onClick={clear}>{t.items.clearFilters}</Button>}
          >
            {t.items.noneFoundText}
          </EmptyState>
        </Card>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.actions.loadMore}
          </Button>
        </div>
      )}
    </>
  )
}

export default function ItemsPage() {
  const { t } = useLanguage()
  return (
    <Page title={t.items.title} lead={t.items.lead}>
      <Found />
    </Page>
  )
}
