import type { Profile } from '../profile.ts'

/**
 * The sales of Gumroad. Its columns are those of `Exports::PurchaseExportService` in github.com/antiwork/gumroad. `Refunded?` is 1 after a
 * partial refund, too: `Fully Refunded?` decides. The time of a purchase repeats its date; the last row holds totals; amounts are in US dollars.
 * Buyers see the order number. A pre-order has another row once it is charged; a free trial has none that is not a recurring charge.
 */
export const gumroad: Profile = {
  name: 'gumroad',
  title: 'Gumroad',
  recognizedBy: ['Item Name', 'Purchase Date', 'Sale Price ($)'],
  columns: {
    purchase_code: ['License Key'],
    order: ['Order Number', 'Purchase ID'],
    item: ['Item Name'],
    product_id: ['Product ID'],
    license_type: ['Variants'],
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
    no_sale: ['Pre-order authorization?'],
    repeated: ['Recurring Charge?'],
    customer_name: ['Buyer Name'],
    customer_email: ['Purchase Email', 'Buyer Email'],
  },
  states: { 0: 'active', 1: 'revoked' },
  utc: true,
}
