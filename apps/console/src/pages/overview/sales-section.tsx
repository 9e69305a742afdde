import type { ConsoleSales, CurrencySales, SalesFigures } from '@saleproof/schema/console'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Chart } from './chart.tsx'
import { ItemLink, Ranking } from './ranking.tsx'
import styles from './sales-section.module.css'

interface SalesProps {
  sales: ConsoleSales
  shown: CurrencySales
}

function SalesTiles({ shown: { currency, total } }: Pick<SalesProps, 'shown'>) {
  const { t, format } = useLanguage()
  const texts = t.overview.sales
  const money = (amount: SalesFigures['net_amount']) => format.money(amount, currency)
  return (
    <DescriptionList
      figures
      entries={[
        { label: texts.sold, value: money(total.sales_amount), note: texts.sales(total.sales) },
        { label: texts.refunded, value: money(total.refunds_amount), note: texts.refunds(total.refunds) },
        { label: texts.net, value: money(total.net_amount), note: texts.netText },
      ]}
    />
  )
}

function SalesChart({ sales, shown }: SalesProps) {
  const { t, format } = useLanguage()
  const { currency, total, buckets } = shown
  const texts = t.overview.sales
  const money = (amount: SalesFigures['net_amount']) => format.money(amount, currency)
  const at = (index: number | null) => (index === null ? undefined : buckets[index]) ?? total
  return (
    <Chart
      small
      kind="bars"
      period={sales}
      starts={sales.starts}
      summary={texts.summary(currency, money(total.sales_amount), money(total.refunds_amount))}
      series={[
        { color: '--chart-1', values: buckets.map((bucket) => Number(bucket.sales_amount)) },
        { color: '--chart-4', values: buckets.map((bucket) => -Number(bucket.refunds_amount)) },
      ]}
      formatValue={(value) => format.compactMoney(value, currency)}
      legend={[
        { name: texts.sold, color: '--chart-1', valueAt: (index) => money(at(index).sales_amount) },
        { name: texts.refunded, color: '--chart-4', valueAt: (index) => money(at(index).refunds_amount) },
      ]}
      caption={texts.caption(currency)}
      columns={[texts.columns.sales, texts.sold, texts.columns.refunds, texts.refunded, texts.net]}
      cells={(index) => {
        const bucket = at(index)
        return [
          format.number(bucket.sales),
          money(bucket.sales_amount),
          format.number(bucket.refunds),
          money(bucket.refunds_amount),
          money(bucket.net_amount),
        ]
      }}
    />
  )
}

function SalesByItem({ shown: { currency, items } }: Pick<SalesProps, 'shown'>) {
  const { t, format } = useLanguage()
  const { sales: texts } = t.overview
  return (
    <Ranking
      title={texts.byItem(currency)}
      emptyText={texts.none}
      color="--chart-1"
      columns={[
        t.purchases.fields.item,
        texts.sold,
        texts.columns.sales,
        texts.columns.refunds,
        texts.refunded,
        texts.net,
      ]}
      rows={items.map((item) => ({
        key: String(item.item_id),
        name: <ItemLink id={item.item_id} name={item.name} />,
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
        <p className="muted">{texts.none}</p>
      </Card>
    )
  return (
    <>
      <Card>
        <div className={styles.head}>
          <h2>{texts.title}</h2>
          {currencies.length > 1 && (
            <SegmentedControl
              label={t.purchases.fields.currency}
              value={shown.currency}
              options={currencies.map(({ currency }) => ({ value: currency, label: currency }))}
              onValueChange={setChosen}
            />
          )}
        </div>
        <SalesTiles shown={shown} />
        <SalesChart sales={data} shown={shown} />
      </Card>
      <SalesByItem shown={shown} />
    </>
  )
}
