import type { ConsolePurchase } from '@saleproof/schema/console'
import { licenseName } from '../../app/license.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Cell, Row, RowHeader, rowLinkClass, Table } from '../../ui/table.tsx'
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
      columns={[
        { name: code },
        { name: item },
        { name: license },
        { name: paid, number: true },
        { name: date },
        { name: state },
      ]}
    >
      {purchases.map((purchase) => (
        <Row key={purchase.purchase_code}>
          <RowHeader>
            <button type="button" className={rowLinkClass} onClick={() => onOpen(purchase.purchase_code)}>
              <span className={styles.code}>{purchase.purchase_code}</span>
            </button>
          </RowHeader>
          <Cell label={item}>{purchase.item.name}</Cell>
          <Cell label={license}>{licenseName(purchase.license_type, t)}</Cell>
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
  )
}
