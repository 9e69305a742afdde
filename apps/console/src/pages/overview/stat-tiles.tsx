import type { ConsoleOverview } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { sumOutcomes } from './outcomes.ts'
import { Tiles } from './tiles.tsx'

export function StatTiles({ overview: { total, latency } }: { overview: ConsoleOverview }) {
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
