import type { ActivityEntry } from '@saleproof/schema/console'
import { activityKindNames, actorKinds } from '@saleproof/schema/console/constants'
import { useWorkspaceList } from '../../api/queries.ts'
import { useUrlFilters } from '../../app/url-filters.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { History } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { toOptions } from '../../ui/options.ts'
import { Page } from '../../ui/page.tsx'
import { LoadMore, Table } from '../../ui/table.tsx'
import { ExactTime } from '../../ui/time.tsx'
import styles from './activity.module.css'
import { describeEntry } from './sentence.ts'
import { useActivityTexts } from './texts.ts'

const useFilters = () => useUrlFilters({ kind: activityKindNames, by: actorKinds })

function Entries({ entries }: { entries: readonly ActivityEntry[] }) {
  const { format } = useLanguage()
  const texts = useActivityTexts()
  return (
    <Table
      cards
      caption={texts.title}
      rows={entries}
      rowKey={({ number }) => number}
      columns={[
        {
          name: texts.what,
          cell: (entry) => <span className={styles.sentence}>{describeEntry(entry, texts, format)}</span>,
        },
        { name: texts.when, number: true, unlabelled: true, cell: ({ at }) => <ExactTime at={at} /> },
      ]}
    />
  )
}

function Results() {
  const { filters, clear } = useFilters()
  const texts = useActivityTexts()
  // Most of what is done elsewhere in the console is in the log.
  const results = useWorkspaceList('listActivity', filters, { staleTime: 0 })
  const { data, error, refetch, isPlaceholderData } = results
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton height="24rem" />
  const entries = data.pages.flatMap((page) => page.entries)
  if (entries.length === 0)
    return (
      <EmptyState
        scope="card"
        icon={History}
        title={texts.none}
        actions={<Button onClick={clear}>{texts.showAll}</Button>}
      >
        {texts.noneText}
      </EmptyState>
    )
  return (
    <>
      <div aria-busy={isPlaceholderData}>
        <Entries entries={entries} />
      </div>
      <LoadMore query={results} />
    </>
  )
}

export default function ActivityPage() {
  const { t } = useLanguage()
  const texts = useActivityTexts()
  const { filters, change } = useFilters()
  return (
    <Page title={texts.title} lead={texts.lead}>
      <search className={styles.filters} aria-label={t.purchases.filters}>
        <SelectField
          label={texts.kind}
          value={filters.kind ?? ''}
          options={toOptions(texts.kinds, texts.anyKind)}
          onValueChange={(kind) => change('kind', kind)}
        />
        <SelectField
          label={texts.by}
          value={filters.by ?? ''}
          options={toOptions(texts.actors, texts.anyone)}
          onValueChange={(by) => change('by', by)}
        />
      </search>
      <Results />
    </Page>
  )
}
