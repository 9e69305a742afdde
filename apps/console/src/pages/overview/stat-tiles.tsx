import type { ConsoleOverview } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { sumOf } from './outcomes.ts'
import styles from './overview.module.css'

/** The most important numbers, large. */
export function StatTiles({ overview: { total, latency } }: { overview: ConsoleOverview }) {
  const { t, format } = useLanguage()
  const { tiles } = t.overview
  const all = sumOf(total)
  const part = (name: string, count: number) => ({
    name,
    value: format.number(count),
    more: all > 0 ? tiles.share(format.percent(count / all)) : '',
  })
  const shown = [
    { name: tiles.total, value: format.number(all), more: '' },
    part(tiles.valid, total.valid),
    part(tiles.invalid, sumOf(total, ['not_found', 'not_active'])),
    part(tiles.trouble, sumOf(total, ['refused', 'limited', 'failed'])),
    {
      name: tiles.latency,
      value: latency ? format.milliseconds(latency.p50) : '–',
      more: latency ? tiles.slowest(format.milliseconds(latency.p99)) : '',
    },
  ]
  return (
    <dl className={styles.tiles}>
      {shown.map(({ name, value, more }) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd>
            {value}
            {more && <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
