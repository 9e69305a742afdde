import type { ConsoleOverview, OverviewPeriod } from '@saleproof/schema/console'
import { useSearchParams } from 'wouter'
import { useOverview } from '../../api/overview.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { GettingStarted } from './getting-started.tsx'
import { LatencyChart } from './latency-chart.tsx'
import { sumOf } from './outcomes.ts'
import styles from './overview.module.css'
import { ByItem, ByKey, Failures } from './rankings.tsx'
import { StatTiles } from './stat-tiles.tsx'
import { Validations } from './validations-chart.tsx'

const periods = ['24h', '7d', '30d', '90d'] as const satisfies readonly OverviewPeriod[]

function usePeriod() {
  const [parameters, setParameters] = useSearchParams()
  const period: OverviewPeriod = periods.find((each) => each === parameters.get('period')) ?? '7d'
  return [period, (next: OverviewPeriod) => setParameters({ period: next }, { replace: true })] as const
}

/** Up to when was counted, and what a crash would lose. */
function Counted({ flushedAt }: { flushedAt: string | null }) {
  const { t, format } = useLanguage()
  return (
    <p className={styles.footer}>
      {flushedAt && t.overview.flushed(format.exact(flushedAt))} {t.overview.lost}
    </p>
  )
}

function Charts({ overview }: { overview: ConsoleOverview }) {
  if (sumOf(overview.total) === 0) return <GettingStarted />
  return (
    <>
      <StatTiles overview={overview} />
      <Validations overview={overview} />
      <div className={styles.pairs}>
        <div className={styles.column}>
          <ByItem items={overview.items} />
          <Failures failures={overview.failures} />
        </div>
        <div className={styles.column}>
          <ByKey keys={overview.keys} />
          <LatencyChart overview={overview} />
        </div>
      </div>
    </>
  )
}

/** The sums and the first chart, in their places. */
function Coming() {
  const { t } = useLanguage()
  const { total, valid, invalid, trouble, latency } = t.overview.tiles
  return (
    <>
      <div className={styles.tiles}>
        {[total, valid, invalid, trouble, latency].map((name) => (
          <Skeleton key={name} height="5.5rem" />
        ))}
      </div>
      <Skeleton height="22rem" />
    </>
  )
}

export default function OverviewPage() {
  const { t } = useLanguage()
  const [period, choose] = usePeriod()
  const { data, error, refetch, isPlaceholderData } = useOverview(period)
  return (
    <Page
      title={t.overview.title}
      actions={
        <SegmentedControl
          label={t.overview.period}
          value={period}
          choices={periods.map((each) => [each, t.overview.periods[each]] as const)}
          onChange={choose}
        />
      }
    >
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Coming />}
      {data && (
        <div className={styles.stale} aria-busy={isPlaceholderData}>
          <Charts overview={data} />
          <Counted flushedAt={data.flushed_at} />
        </div>
      )}
    </Page>
  )
}
