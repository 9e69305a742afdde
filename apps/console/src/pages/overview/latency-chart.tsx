import type { ConsoleOverview, Latency } from '@saleproof/schema/console'
import { useMemo } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'
import { DataTable } from './data-table.tsx'
import { useTimes } from './validations-chart.tsx'

const lines = [
  { of: 'p50', colour: '--chart-1' },
  { of: 'p99', colour: '--chart-3' },
] as const

export function LatencyChart({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const times = useTimes(overview)
  const { buckets, latency, bucket } = overview
  const { charts, table } = t.overview
  const series = useMemo(
    () =>
      lines.map(({ of, colour }) => ({ colour, values: buckets.map((each) => each.latency?.[of] ?? null) })),
    [buckets],
  )
  const told = (of: keyof Latency, from: Latency | null) => (from ? format.milliseconds(from[of]) : '–')
  const names = { p50: charts.half, p99: charts.most }
  return (
    <Card title={charts.latency}>
      <Chart
        small
        kind="lines"
        summary={charts.latencySummary(told('p50', latency), told('p99', latency))}
        times={times.beginnings}
        bucket={times.length}
        series={series}
        time={times.axis}
        value={format.milliseconds}
        when={(index) => (index === null ? charts.all : times.long(buckets[index]!.start))}
        legend={lines.map(({ of, colour }) => ({
          name: names[of],
          colour,
          told: (index) => told(of, index === null ? latency : buckets[index]!.latency),
        }))}
      />
      <DataTable
        caption={charts.latency}
        columns={[table.time[bucket], charts.half, charts.most]}
        rows={buckets.toReversed().map(({ start, latency: each }) => ({
          key: start,
          cells: [times.long(start), told('p50', each), told('p99', each)],
        }))}
      />
    </Card>
  )
}
