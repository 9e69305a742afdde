import type { ConsoleOverview } from '@saleproof/schema/console'
import { overviewPeriods } from '@saleproof/schema/console/constants'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useWorkspaceQuery } from '../../api/queries.ts'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { timezone } from '../../i18n/languages.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { toOptions } from '../../ui/options.ts'
import { Page } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { LatencyChart } from './latency-chart.tsx'
import { sumOutcomes } from './outcomes.ts'
import styles from './overview.module.css'
import { FailureRanking, ItemRanking, KeyRanking } from './rankings.tsx'
import { SalesSection } from './sales-section.tsx'
import { ValidationsChart } from './validations-chart.tsx'

// Few workspaces ever show it.
const ExposedKeysNotice = lazyWithPreload(() => import('../api-access/exposed-keys-notice.tsx'))

function ExposedKeys({ keys }: { keys: ConsoleOverview['exposed_keys'] }) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  if (keys.length === 0) return null
  const link = (
    <LinkButton small to={pathTo(paths.apiAccess, { workspace: slug })}>
      {t.keys.exposed.review}
    </LinkButton>
  )
  return <ExposedKeysNotice keys={keys} action={link} />
}

const GettingStarted = lazyWithPreload(() => import('./getting-started.tsx'))

function Charts({ overview, sales }: { overview: ConsoleOverview; sales: ReactNode }) {
  if (sumOutcomes(overview.total) === 0)
    return (
      <>
        <GettingStarted />
        {sales}
      </>
    )
  return (
    <>
      <ValidationsChart overview={overview} />
      {sales}
      <div className={styles.columns}>
        <div className={styles.column}>
          <ItemRanking items={overview.items} />
          <FailureRanking failures={overview.failures} />
        </div>
        <div className={styles.column}>
          <KeyRanking keys={overview.keys} />
          <LatencyChart overview={overview} />
        </div>
      </div>
    </>
  )
}

/** Until when validations are counted. */
function Updated({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { flushed_at: until, up_to_date: isUpToDate } = overview
  if (until === null) return null
  return isUpToDate ? t.overview.updated(format.time(until)) : t.overview.countedUntil(format.exact(until))
}

const refreshed = { placeholderData: keepPreviousData, refetchInterval: 30_000 }

export default function OverviewPage() {
  const { t } = useLanguage()
  const [params, setParams] = useSearchParams()
  const period = overviewPeriods.find((each) => each === params.get('period')) ?? '7d'
  const values = { period, timezone: timezone() }
  const { data, error, refetch, isPlaceholderData } = useWorkspaceQuery('getOverview', values, refreshed)
  const sales = useWorkspaceQuery('getSales', values, refreshed)
  return (
    <Page
      title={t.nav.overview}
      actions={
        <SegmentedControl
          label={t.overview.period}
          value={period}
          options={toOptions(t.overview.periods)}
          onValueChange={(next) => setParams({ period: next }, { replace: true })}
        />
      }
    >
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height="29rem" />}
      {data && (
        <div className={styles.column} aria-busy={isPlaceholderData}>
          <ExposedKeys keys={data.exposed_keys} />
          <Charts overview={data} sales={<SalesSection query={sales} />} />
          <p className="muted">
            <Updated overview={data} /> {t.overview.durability}
          </p>
        </div>
      )}
    </Page>
  )
}
