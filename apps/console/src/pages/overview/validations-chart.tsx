import type { ConsoleOverview } from '@saleproof/schema/console'
import { validationOutcomes } from '@saleproof/schema/console/constants'
import { useLanguage } from '../../i18n/language.tsx'
import { Card } from '../../ui/page.tsx'
import { Chart } from './chart.tsx'
import { outcomeColors, presentOutcomes, stack, sumOutcomes } from './outcomes.ts'
import { Tiles } from './tiles.tsx'

function StatTiles({ overview: { total, latency } }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { tiles } = t.overview
  const all = sumOutcomes(total)
  const share = (name: string, count: number) => ({
    name,
    value: format.number(count),
    note: all > 0 && tiles.share(format.percent(count / all)),
  })
  const stats = [
    { name: tiles.total, value: format.number(all), note: '' },
    share(tiles.valid, total.valid),
    share(tiles.invalid, sumOutcomes(total, ['not_found', 'not_active'])),
    share(tiles.failed, sumOutcomes(total, ['refused', 'limited', 'failed'])),
    {
      name: tiles.latency,
      value: latency ? format.milliseconds(latency.p50) : '–',
      note: latency && tiles.p99(format.milliseconds(latency.p99)),
    },
  ]
  return <Tiles tiles={stats} />
}

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
