import type { ConsoleOverview, FailedCodeReason } from '@saleproof/schema/console'
import { failedCodeReasons } from '@saleproof/schema/console/constants'
import type { ErrorCode } from '@saleproof/schema/constants'
import { useState } from 'react'
import { keyLabel } from '../../app/key-label.ts'
import { serviceUrl } from '../../app/service-url.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import styles from './ranking.module.css'
import { ItemLink, Ranking } from './ranking.tsx'

export function ItemRanking({ items }: Pick<ConsoleOverview, 'items'>) {
  const { t } = useLanguage()
  const { charts, table } = t.overview
  return (
    <Ranking
      title={charts.items}
      description={charts.itemsText}
      emptyText={charts.empty}
      color="--chart-1"
      columns={[t.purchases.fields.item, table.count]}
      rows={items.map(({ item_id: id, name, total, counts }) => ({
        key: String(id),
        name: <ItemLink id={id} name={name} />,
        count: total,
        history: counts,
      }))}
    />
  )
}

export function KeyRanking({ keys }: Pick<ConsoleOverview, 'keys'>) {
  const { t, format } = useLanguage()
  const { charts, table, outcomes } = t.overview
  return (
    <Ranking
      title={charts.keys}
      emptyText={charts.empty}
      color="--chart-5"
      columns={[table.key, table.count, outcomes.valid, table.share]}
      rows={keys.map(({ key_id: key, name, last_four, total, valid, counts }) => ({
        key,
        name: name === null ? charts.deletedKey : keyLabel({ name, last_four }),
        count: total,
        history: counts,
        cells: [format.number(valid), format.percent(total === 0 ? 0 : valid / total)],
      }))}
    />
  )
}

// Viewing the overview loads no dialogs.
const FailedCodesDialog = lazyWithPreload(() => import('./failed-codes-dialog.tsx'))

export function FailureRanking({ failures }: Pick<ConsoleOverview, 'failures'>) {
  const { t, format } = useLanguage()
  const [opened, setOpened] = useState<FailedCodeReason>()
  const { charts, table, reasons } = t.overview
  const total = failures.reduce((sum, { count }) => sum + count, 0)
  const renderReason = (code: ErrorCode) => {
    const kept = failedCodeReasons.find((reason) => reason === code)
    return kept ? (
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={() => setOpened(kept)}>
        {reasons[code]}
      </button>
    ) : (
      <a href={serviceUrl(`docs/errors#${code}`)} title={code}>
        {reasons[code]}
      </a>
    )
  }
  return (
    <>
      <Ranking
        title={charts.failures}
        emptyText={charts.noFailures}
        color="--chart-2"
        columns={[table.reason, table.count, table.share]}
        rows={failures.map(({ code, count }) => ({
          key: code,
          name: renderReason(code),
          count,
          cells: [format.percent(count / total)],
        }))}
      />
      {opened && <FailedCodesDialog reason={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
