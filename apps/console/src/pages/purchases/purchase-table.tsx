import type { ConsolePurchase } from '@saleproof/schema/console'
import { licenseName } from '../../app/license.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { rowLinkClass, Table } from '../../ui/table.tsx'
import { ShortDate } from '../../ui/time.tsx'
import styles from './purchases.module.css'
import { StateBadge } from './state-badge.tsx'
import { usePurchaseTexts } from './texts.ts'

interface PurchaseTableProps {
  purchases: readonly ConsolePurchase[]
  onOpen: (code: string) => void
}

const customerText = (purchase: ConsolePurchase) => purchase.customer_name ?? purchase.customer_email

export function PurchaseTable({ purchases, onOpen }: PurchaseTableProps) {
  const { t, format } = useLanguage()
  const { fields } = t.purchases
  const texts = usePurchaseTexts()
  return (
    <Table
      cards
      compact
      caption={t.nav.purchases}
      rows={purchases}
      rowKey={(purchase) => purchase.purchase_code}
      columns={[
        {
          name: fields.purchase_code,
          cell: (purchase) => (
            <button type="button" className={rowLinkClass} onClick={() => onOpen(purchase.purchase_code)}>
              <span className={styles.code}>{purchase.purchase_code}</span>
            </button>
          ),
        },
        ...(purchases.some((purchase) => customerText(purchase))
          ? [{ name: texts.customer, cell: customerText }]
          : []),
        { name: fields.item, cell: (purchase) => purchase.item.name },
        { name: fields.license_type, cell: (purchase) => licenseName(purchase.license_type, t) },
        { name: fields.price, number: true, cell: ({ price, currency }) => format.money(price, currency) },
        { name: fields.date, cell: (purchase) => <ShortDate at={purchase.date} /> },
        { name: fields.state, cell: (purchase) => <StateBadge state={purchase.state} /> },
      ]}
    />
  )
}
