import type { ConsoleOverview } from '@saleproof/schema/console'
import { useMemo } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { createBucketLabels } from './bucket-labels.ts'
import { Chart } from './chart.tsx'
import { DataTable } from './data-table.tsx'
import { colourOf, outcomes, present, stack, sumOf } from './outcomes.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000

/** What both charts over time are made of. */
export function useTimes(overview: ConsoleOverview) {
  const { format } = useLanguage()
  return useMemo(
    () => ({
      ...createBucketLabels(format.tag, overview),
      beginnings: overview.buckets.map(({ start }) => seconds(start)),
      length: overview.bucket === 'hour' ? 3600 : 86_400,
    }),
    [format, overview],
  )
}

function useStacked({ buckets, total }: ConsoleOverview) {
  return useMemo(() => {
    const shown = present(total)
    const lists = shown.map((outcome) => buckets.map(({ outcomes: counts }) => counts[outcome]))
    const series = stack(lists).map((values, index) => ({ colour: colourOf[shown[index]!], values }))
    return { shown, series: series.reverse() }
  }, [buckets, total])
}

export function Validations({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const times = useTimes(overview)
  const { shown, series } = useStacked(overview)
  const { buckets, total, bucket } = overview
  const { charts, table } = t.overview
  const columns = [
    table.time[bucket],
    table.total,
    ...outcomes.map((outcome) => t.overview.outcomes[outcome]),
  ]
  return (
    <Card title={charts.validations}>
      <Chart
        kind="bars"
        summary={charts.summary(format.number(sumOf(total)), format.number(total.valid))}
        times={times.beginnings}
        bucket={times.length}
        series={series}
        time={times.axis}
        value={format.compact}
        when={(index) => (index === null ? charts.all : times.long(buckets[index]!.start))}
        legend={shown.map((outcome) => ({
          name: t.overview.outcomes[outcome],
          colour: colourOf[outcome],
          told: (index) => format.number((index === null ? total : buckets[index]!.outcomes)[outcome]),
        }))}
      />
      <DataTable
        caption={charts.validations}
        columns={columns}
        rows={buckets.toReversed().map(({ start, outcomes: counts }) => ({
          key: start,
          cells: [
            times.long(start),
            format.number(sumOf(counts)),
            ...outcomes.map((outcome) => format.number(counts[outcome])),
          ],
        }))}
      />
    </Card>
  )
}
