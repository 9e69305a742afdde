import type { ConsoleSales, CurrencySales, SalesFigures } from '@saleproof/schema/console'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { paths, pathTo } from '../../app/pages.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Chart } from './chart.tsx'
import { DataTable } from './data-table.tsx'
import { Ranking } from './ranking.tsx'
import styles from './sales-section.module.css'
import { useTimeAxis } from './time-axis.ts'

interface CurrencyChoiceProps {
  value: string
  currencies: readonly CurrencySales[]
  onValueChange: (currency: string) => void
}

function CurrencyChoice({ value, currencies, onValueChange }: CurrencyChoiceProps) {
  const { t } = useLanguage()
  if (currencies.length < 2) return null
  const options = currencies.map(({ currency }) => ({ value: currency, label: currency }))
  return (
    <SegmentedControl
      label={t.overview.sales.currency}
      value={value}
      options={options}
      onValueChange={onValueChange}
    />
  )
}

interface SalesProps {
  sales: ConsoleSales
  shown: CurrencySales
}

function Tiles({ shown: { currency, total } }: Pick<SalesProps, 'shown'>) {
  const { t, format } = useLanguage()
  const texts = t.overview.sales
  const tiles = [
    { name: texts.sold, amount: total.sales_amount, note: texts.sales(total.sales) },
    { name: texts.refunded, amount: total.refunds_amount, note: texts.refunds(total.refunds) },
    { name: texts.net, amount: total.net_amount, note: texts.netText },
  ]
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ name, amount, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {format.money(amount, currency)}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function SalesChart({ sales, shown }: SalesProps) {
  const { t, format } = useLanguage()
  const axis = useTimeAxis(sales, sales.starts)
  const { currency, total, buckets } = shown
  const texts = t.overview.sales
  const series = useMemo(
    () => [
      { color: '--chart-1', values: buckets.map((bucket) => Number(bucket.sales_amount)) },
      { color: '--chart-4', values: buckets.map((bucket) => -Number(bucket.refunds_amount)) },
    ],
    [buckets],
  )
  const formatValue = useMemo(
    () => (value: number) => format.compactMoney(value, currency),
    [format, currency],
  )
  const money = (amount: SalesFigures['net_amount']) => format.money(amount, currency)
  const at = (index: number | null) => (index === null ? undefined : buckets[index]) ?? total
  return (
    <>
      <Chart
        {...axis}
        small
        kind="bars"
        summary={texts.summary(currency, money(total.sales_amount), money(total.refunds_amount))}
        series={series}
        formatValue={formatValue}
        legend={[
          { name: texts.sold, color: '--chart-1', valueAt: (index) => money(at(index).sales_amount) },
          { name: texts.refunded, color: '--chart-4', valueAt: (index) => money(at(index).refunds_amount) },
        ]}
      />
      <DataTable
        caption={texts.caption(currency)}
        columns={[
          t.overview.table.time[sales.bucket],
          texts.columns.sales,
          texts.sold,
          texts.columns.refunds,
          texts.refunded,
          texts.net,
        ]}
        rows={buckets
          .map((bucket, index) => ({
            key: sales.starts[index] ?? '',
            cells: [
              axis.labels[index],
              format.number(bucket.sales),
              money(bucket.sales_amount),
              format.number(bucket.refunds),
              money(bucket.refunds_amount),
              money(bucket.net_amount),
            ],
          }))
          .reverse()}
      />
    </>
  )
}

function SalesByItem({ shown: { currency, items } }: Pick<SalesProps, 'shown'>) {
  const { t, format } = useLanguage()
  const { slug } = useWorkspace()
  const { sales: texts, charts, table } = t.overview
  return (
    <Ranking
      title={texts.byItem(currency)}
      emptyText={texts.none}
      color="--chart-1"
      columns={[
        table.item,
        texts.sold,
        texts.columns.sales,
        texts.columns.refunds,
        texts.refunded,
        texts.net,
      ]}
      rows={items.map((item) => ({
        key: String(item.item_id),
        name:
          item.name === null ? (
            `${charts.deletedItem} ${item.item_id}`
          ) : (
            <Link to={pathTo(paths.item, { workspace: slug, item: String(item.item_id) })}>{item.name}</Link>
          ),
        count: Number(item.sales_amount),
        value: format.money(item.sales_amount, currency),
        cells: [
          format.number(item.sales),
          format.number(item.refunds),
          format.money(item.refunds_amount, currency),
          format.money(item.net_amount, currency),
        ],
      }))}
    />
  )
}

/** Sales and refunds, one currency at a time. */
export function SalesSection({ query: { data, error, refetch } }: { query: UseQueryResult<ConsoleSales> }) {
  const { t } = useLanguage()
  const [chosen, setChosen] = useState<string>()
  const texts = t.overview.sales
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton height="22rem" />
  const { currencies } = data
  const shown = currencies.find(({ currency }) => currency === chosen) ?? currencies[0]
  if (!shown)
    return (
      <Card title={texts.title}>
        <p className={styles.empty}>{texts.none}</p>
      </Card>
    )
  return (
    <>
      <Card>
        <div className={styles.head}>
          <h2>{texts.title}</h2>
          <CurrencyChoice value={shown.currency} currencies={currencies} onValueChange={setChosen} />
        </div>
        <Tiles shown={shown} />
        <SalesChart sales={data} shown={shown} />
      </Card>
      <SalesByItem shown={shown} />
    </>
  )
}
