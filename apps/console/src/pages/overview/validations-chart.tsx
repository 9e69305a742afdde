import type { ConsoleOverview } from '@saleproof/schema/console'
import { validationOutcomes } from '@saleproof/schema/console/constants'
import { useLanguage } from '../../i18n/language.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'
import { outcomeColors, presentOutcomes, stack, sumOutcomes } from './outcomes.ts'

function Figures({ overview: { total, latency } }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { figures, charts, outcomes } = t.overview
  const all = sumOutcomes(total)
  const share = (label: string, count: number) => ({
    label,
    value: format.number(count),
    note: all > 0 && figures.share(format.percent(count / all)),
  })
  return (
    <DescriptionList
      figures
      entries={[
        { label: charts.validations, value: format.number(all) },
        share(outcomes.valid, total.valid),
        share(figures.invalid, sumOutcomes(total, ['not_found', 'not_active'])),
        share(figures.failed, sumOutcomes(total, ['refused', 'limited', 'failed'])),
        {
          label: figures.latency,
          value: latency ? format.milliseconds(latency.p50) : '–',
          note: latency && figures.p99(format.milliseconds(latency.p99)),
        },
      ]}
    />
  )
}

export function ValidationsChart({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { buckets, total } = overview
  const { charts, table, outcomes: names } = t.overview
  const shown = presentOutcomes(total)
  const countsAt = (index: number | null) => (index === null ? undefined : buckets[index]?.outcomes) ?? total
  return (
    <Card title={charts.validations}>
      <Figures overview={overview} />
      <Chart
        kind="bars"
        period={overview}
        starts={buckets.map(({ start }) => start)}
        summary={charts.summary(format.number(sumOutcomes(total)), format.number(total.valid))}
        // The highest bar of a stack is drawn first.
        series={stack(
          shown.map((outcome) => ({
            color: outcomeColors[outcome],
            values: buckets.map((each) => each.outcomes[outcome]),
          })),
        ).reverse()}
        formatValue={format.compact}
        legend={shown.map((outcome) => ({
          name: names[outcome],
          color: outcomeColors[outcome],
          valueAt: (index) => format.number(countsAt(index)[outcome]),
        }))}
        caption={charts.validations}
        columns={[table.total, ...validationOutcomes.map((outcome) => names[outcome])]}
        cells={(index) => {
          const counts = countsAt(index)
          return [sumOutcomes(counts), ...validationOutcomes.map((outcome) => counts[outcome])].map(
            format.number,
          )
        }}
      />
    </Card>
  )
}
