import type { ConsoleOverview, KeySeries } from '@saleproof/schema/console'
import { Link } from 'wouter'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Ranking } from './ranking.tsx'

export function ByItem({ items }: Pick<ConsoleOverview, 'items'>) {
  const { t } = useLanguage()
  const { slug } = useWorkspace()
  const { charts, table } = t.overview
  const page = (id: number) => pathTo(paths.item, { workspace: slug, item: String(id) })
  return (
    <Ranking
      title={charts.items}
      text={charts.itemsText}
      none={charts.none}
      colour="--chart-1"
      columns={[table.item, table.count]}
      ranked={items.map(({ item_id: id, name, total, counts }) => ({
        key: String(id),
        name: name === null ? `${charts.gone} ${id}` : <Link to={page(id)}>{name}</Link>,
        count: total,
        course: counts,
      }))}
    />
  )
}

const shareOf = ({ valid, total }: KeySeries) => (total === 0 ? 0 : valid / total)

export function ByKey({ keys }: Pick<ConsoleOverview, 'keys'>) {
  const { t, format } = useLanguage()
  const { charts, table } = t.overview
  return (
    <Ranking
      title={charts.keys}
      none={charts.none}
      colour="--chart-5"
      columns={[table.key, table.count, table.valid, table.share]}
      ranked={keys.map((key) => ({
        key: key.key_id,
        name: key.name ?? charts.goneKey,
        count: key.total,
        course: key.counts,
        further: [format.number(key.valid), format.percent(shareOf(key))],
      }))}
    />
  )
}

const explanationOf = (code: string) => new URL(`../docs/errors#${code}`, document.baseURI).href

export function Failures({ failures }: Pick<ConsoleOverview, 'failures'>) {
  const { t, format } = useLanguage()
  const { charts, table, reasons } = t.overview
  const all = failures.reduce((sum, { count }) => sum + count, 0)
  return (
    <Ranking
      title={charts.failures}
      none={charts.noFailures}
      colour="--chart-2"
      columns={[table.reason, table.count, table.share]}
      ranked={failures.map(({ code, count }) => ({
        key: code,
        name: (
          <a href={explanationOf(code)} title={code}>
            {reasons[code]}
          </a>
        ),
        count,
        further: [format.percent(count / all)],
      }))}
    />
  )
}
