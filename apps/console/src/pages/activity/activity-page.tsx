import type { ActivityEntry, ConsoleActor } from '@saleproof/schema/console'
import { activityKindNames, actorKinds } from '@saleproof/schema/console/constants'
import { useWorkspaceList } from '../../api/queries.ts'
import { keyLabel } from '../../app/key-label.ts'
import { useUrlFilters } from '../../app/url-filters.ts'
import type { Format } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language.tsx'
import type { ActivityMessages } from '../../messages/en/activity.ts'
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
import { useActivityTexts } from './texts.ts'

const useFilters = () => useUrlFilters({ kind: activityKindNames, by: actorKinds })

function whoIn({ kind, username }: ConsoleActor, texts: ActivityMessages): string {
  if (kind === 'account') return username ?? texts.removedAccount
  return kind === 'cli' ? texts.commandLine : texts.adminProgram
}

function describeRecords({ imported }: ActivityEntry, texts: ActivityMessages, { tag }: Format): string {
  if (!imported) return ''
  const { items, purchases } = imported
  const parts = [...(items ? [texts.items(items)] : []), ...(purchases ? [texts.purchases(purchases)] : [])]
  return new Intl.ListFormat(tag).format(parts)
}

const itemName = ({ id, name }: { id: number; name: string | null }) =>
  name ? `${name} (${id})` : String(id)

/** An entry of the activity log as a sentence. */
function describeEntry(entry: ActivityEntry, texts: ActivityMessages, format: Format): string {
  const { action, by, key, item, purchase } = entry
  return texts.sentences[action]({
    who: whoIn(by, texts),
    by: by.kind,
    key: key ? texts.key(keyLabel(key)) : texts.someKey,
    item: item ? texts.item(itemName(item)) : texts.someItem,
    purchase: purchase ? texts.purchase(purchase.purchase_code) : texts.somePurchase,
    state: purchase?.state,
    records: describeRecords(entry, texts, format),
    file: entry.file ? texts.fromFile(entry.file.name, entry.file.profile) : '',
  })
}

function Entries({ entries }: { entries: readonly ActivityEntry[] }) {
  const { t, format } = useLanguage()
  const texts = useActivityTexts()
  return (
    <Table
      cards
      caption={t.nav.activity}
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
    <Page title={t.nav.activity} lead={texts.lead}>
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
