import { purchaseFields } from '@saleproof/schema/records'
import type { PurchaseModel } from '../generated/sqlite/models.ts'
import { recordTable } from './table.ts'

export const purchaseTable = recordTable<keyof PurchaseModel>()(purchaseFields, {
  name: 'Purchase',
  columns: {
    item: 'itemId',
    purchase_code: 'code',
    license_type: 'licenseType',
    price: 'price',
    currency: 'currency',
    supported_until: 'supportedUntil',
    downloaded: { column: 'downloaded', default: false },
    date: 'date',
    state: { column: 'state', default: 'active' },
    refunded_at: 'refundedAt',
    customer_name: 'customerName',
    customer_email: 'customerEmail',
    order: 'customerOrder',
    note: 'note',
  },
  generated: { importedAt: 'integer', edited: 'text' },
  identity: { field: 'purchase_code', column: 'code' },
  exported: { from: '"Purchase" t', orderBy: 't."code"' },
})
