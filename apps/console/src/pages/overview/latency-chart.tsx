import type { ConsoleOverview, Latency } from '@saleproof/schema/console'
import { useMemo } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'
import { DataTable } from './data-table.tsx'
import { useStarts, useTimeAxis } from './time-axis.ts'

const lines = [
  { quantile: 'p50', color: '--chart-1' },
  { quantile: 'p99', color: '--chart-3' },
] as const

export function LatencyChart({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { buckets, latency, bucket } = overview
  const axis = useTimeAxis(overview, useStarts(buckets))
  const { charts, table } = t.overview
  const series = useMemo(
    () =>
      lines.map(({ quantile, color }) => ({
        color,
        values: buckets.map((each) => each.latency?.[quantile] ?? null),
      })),
    [buckets],
  )
  const show = (quantile: keyof Latency, of: Latency | null | undefined) =>
    of ? format.milliseconds(of[quantile]) : '–'
  return (
    <Card title={charts.latency}>
      <Chart
        {...axis}
        small
        kind="lines"
        summary={charts.latencySummary(show('p50', latency), show('p99', latency))}
        series={series}
        formatValue={format.milliseconds}
        legend={lines.map(({ quantile, color }) => ({
          name: charts[quantile],
          color,
          valueAt: (index) => show(quantile, index === null ? latency : buckets[index]?.latency),
        }))}
      />
      <DataTable
        caption={charts.latency}
        columns={[table.time[bucket], charts.p50, charts.p99]}
        rows={buckets
          .map((each, index) => ({
            key: each.start,
            cells: [axis.labels[index], show('p50', each.latency), show('p99', each.latency)],
          }))
          .reverse()}
      />
    </Card>
  )
}
