import type { ConsolePurchase } from '@saleproof/schema/console'
import { licenseName } from '../../app/license.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { rowLinkClass, Table } from '../../ui/table.tsx'
import { ShortDate } from '../../ui/time.tsx'
import styles from './purchases.module.css'
import { StateBadge } from './state-badge.tsx'

interface PurchaseTableProps {
  purchases: readonly ConsolePurchase[]
  onOpen: (code: string) => void
}

export function PurchaseTable({ purchases, onOpen }: PurchaseTableProps) {
  const { t, format } = useLanguage()
  const { code, item, license, paid, date, state } = t.purchases.columns
  return (
    <Table
      cards
      compact
      caption={t.purchases.title}
      rows={purchases}
      rowKey={(purchase) => purchase.purchase_code}
      columns={[
        {
          name: code,
          cell: (purchase) => (
            <button type="button" className={rowLinkClass} onClick={() => onOpen(purchase.purchase_code)}>
              <span className={styles.code}>{purchase.purchase_code}</span>
            </button>
          ),
        },
        { name: item, cell: (purchase) => purchase.item.name },
        { name: license, cell: (purchase) => licenseName(purchase.license_type, t) },
        { name: paid, number: true, cell: ({ price, currency }) => format.money(price, currency) },
        { name: date, cell: (purchase) => <ShortDate at={purchase.date} /> },
        { name: state, cell: (purchase) => <StateBadge state={purchase.state} /> },
      ]}
    />
  )
}
