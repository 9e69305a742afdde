import type { ConsoleOverview } from '@saleproof/schema/console'
import { validationOutcomes } from '@saleproof/schema/console/constants'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'
import { outcomeColors, presentOutcomes, stack, sumOutcomes } from './outcomes.ts'
import { StatTiles } from './stat-tiles.tsx'

export function ValidationsChart({ overview }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { buckets, total } = overview
  const { charts, table, outcomes: names } = t.overview
  const shown = presentOutcomes(total)
  const countsAt = (index: number | null) => (index === null ? undefined : buckets[index]?.outcomes) ?? total
  return (
    <Card title={charts.validations}>
      <StatTiles overview={overview} />
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
