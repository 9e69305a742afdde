import type { ConsoleOverview } from '@saleproof/schema/console'
import { validationOutcomes } from '@saleproof/schema/console/constants'
import { useMemo } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'
import { DataTable } from './data-table.tsx'
import { outcomeColors, presentOutcomes, stack, sumOutcomes } from './outcomes.ts'
import { useStarts, useTimeAxis } from './time-axis.ts'

export function ValidationsChart({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { buckets, total, bucket } = overview
  const axis = useTimeAxis(overview, useStarts(buckets))
  const { charts, table, outcomes: names } = t.overview
  const shown = useMemo(() => presentOutcomes(total), [total])
  // The highest bar of a stack is drawn first.
  const series = useMemo(
    () =>
      stack(
        shown.map((outcome) => ({
          color: outcomeColors[outcome],
          values: buckets.map((each) => each.outcomes[outcome]),
        })),
      ).reverse(),
    [buckets, shown],
  )
  return (
    <Card title={charts.validations}>
      <Chart
        {...axis}
        kind="bars"
        summary={charts.summary(format.number(sumOutcomes(total)), format.number(total.valid))}
        series={series}
        formatValue={format.compact}
        legend={shown.map((outcome) => ({
          name: names[outcome],
          color: outcomeColors[outcome],
          valueAt: (index) => {
            const counts = (index === null ? undefined : buckets[index]?.outcomes) ?? total
            return format.number(counts[outcome])
          },
        }))}
      />
      <DataTable
        caption={charts.validations}
        columns={[table.time[bucket], table.total, ...validationOutcomes.map((outcome) => names[outcome])]}
        rows={buckets
          .map((each, index) => ({
            key: each.start,
            cells: [
              axis.labels[index],
              format.number(sumOutcomes(each.outcomes)),
              ...validationOutcomes.map((outcome) => format.number(each.outcomes[outcome])),
            ],
          }))
          .reverse()}
      />
    </Card>
  )
}
