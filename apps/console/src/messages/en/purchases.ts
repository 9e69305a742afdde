import type { PurchaseState } from '@saleproof/schema/constants'
import type { FieldPath, purchaseFields } from '@saleproof/schema/records'

export const purchases = {
  filters: 'Filters',
  licenses: { Regular: 'Regular', Extended: 'Extended' },
  states: { active: 'Active', refunded: 'Refunded', revoked: 'Revoked' } satisfies Record<
    PurchaseState,
    string
  >,
  fields: {
    purchase_code: 'Purchase code',
    item: 'Item',
    license_type: 'License',
    price: 'Price paid',
    currency: 'Currency',
    date: 'Date',
    supported_until: 'Supported until',
    downloaded: 'Downloaded',
    state: 'Status',
    refunded_at: 'Refunded on',
    customer_name: 'Name',
    customer_email: 'E-mail',
    order: 'Order',
    note: 'Note',
  } satisfies Record<FieldPath<typeof purchaseFields>, string>,
  anyState: 'Any status',
  audited: 'The change is recorded in the audit log.',
}
