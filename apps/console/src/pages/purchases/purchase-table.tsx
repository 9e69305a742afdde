import type { ConsolePurchase } from '@saleproof/schema/console'
import { useLanguage } from '../../i18n/language.tsx'
import { Cell, HeadCell, Row, Table, tableStyles } from '../../ui/table.tsx'
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
  const columns = [
    ...[{ name: code }, { name: item }, { name: license }, { name: paid, number: true }],
    ...[{ name: date }, { name: state }],
  ]
  return (
    <div className={tableStyles.box}>
      <Table cards compact caption={t.purchases.title} columns={columns}>
        {purchases.map((purchase) => (
          <Row key={purchase.purchase_code}>
            <HeadCell>
              <button
                type="button"
                className={tableStyles.open}
                onClick={() => onOpen(purchase.purchase_code)}
              >
                <span className={styles.code}>{purchase.purchase_code}</span>
              </button>
            </HeadCell>
            <Cell label={item}>{purchase.item.name}</Cell>
            <Cell label={license}>{purchase.license_type}</Cell>
            <Cell number label={paid}>
              {format.money(purchase.price, purchase.currency)}
            </Cell>
            <Cell label={date}>
              <ShortDate at={purchase.date} />
            </Cell>
            <Cell label={state}>
              <StateBadge state={purchase.state} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}
