import type { ConsoleOverview, Latency } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'

const lines = [
  { quantile: 'p50', color: '--chart-1' },
  { quantile: 'p99', color: '--chart-3' },
] as const

export function LatencyChart({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { buckets, latency } = overview
  const { charts } = t.overview
  const show = (quantile: keyof Latency, of: Latency | null | undefined) =>
    of ? format.milliseconds(of[quantile]) : '–'
  return (
    <Card title={charts.latency}>
      <Chart
        small
        kind="lines"
        period={overview}
        starts={buckets.map(({ start }) => start)}
        summary={charts.latencySummary(show('p50', latency), show('p99', latency))}
        series={lines.map(({ quantile, color }) => ({
          color,
          values: buckets.map((each) => each.latency?.[quantile] ?? null),
        }))}
        formatValue={format.milliseconds}
        legend={lines.map(({ quantile, color }) => ({
          name: charts[quantile],
          color,
          valueAt: (index) => show(quantile, index === null ? latency : buckets[index]?.latency),
        }))}
        caption={charts.latency}
        columns={lines.map(({ quantile }) => charts[quantile])}
        cells={(index) => lines.map(({ quantile }) => show(quantile, buckets[index]?.latency))}
      />
    </Card>
  )
}
