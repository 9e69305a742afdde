import type { Profile } from '../profile.ts'

/**
 * The sales of Gumroad. Its columns are those of `Exports::PurchaseExportService` in github.com/antiwork/gumroad. `Refunded?` is 1 after a
 * partial refund, too: `Fully Refunded?` decides. The time of a purchase repeats its date; the last row holds totals; there is no currency.
 */
export const gumroad: Profile = {
  name: 'gumroad',
  title: 'Gumroad',
  recognizedBy: ['Item Name', 'Purchase Date', 'Sale Price ($)'],
  columns: {
    purchase_code: ['License Key'],
    order: ['Purchase ID', 'Order Number'],
    item: ['Item Name'],
    product_id: ['Product ID'],
    quantity: ['Quantity'],
    price: ['Sale Price ($)'],
    date: ['Purchase Date'],
    state: ['Access Revoked?'],
    time: ['Purchase Time (UTC timezone)', 'Purchase Time'],
    refunded: ['Fully Refunded?', 'Refunded?'],
    refunded_amount: ['Partial Refund ($)'],
    disputed: ['Disputed?'],
    dispute_won: ['Dispute Won?'],
    enabled: ['License Key Enabled?'],
    repeated: ['Recurring Charge?'],
    customer_name: ['Buyer Name'],
    customer_email: ['Purchase Email', 'Buyer Email'],
  },
  states: { 0: 'active', 1: 'revoked' },
  timeZone: 'UTC',
}
