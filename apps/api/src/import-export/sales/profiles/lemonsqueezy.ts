import type { Profile } from '../profile.ts'

/**
 * The orders of Lemon Squeezy. No export of theirs was seen: columns are those that public importers expect, called like the fields of an
 * order at docs.lemonsqueezy.com/api/orders, in words or with underscores, with the first item of the order beside them.
 */
export const lemonsqueezy: Profile = {
  name: 'lemonsqueezy',
  title: 'Lemon Squeezy',
  recognizedBy: ['Identifier', 'Order Number', 'User Email'],
  columns: {
    purchase_code: ['License Key', 'Key'],
    order: ['Identifier', 'Order Number'],
    item: ['Product Name', 'First Order Item Product Name'],
    product_id: ['Product ID', 'First Order Item Product ID'],
    license_type: ['Variant Name', 'First Order Item Variant Name'],
    quantity: ['Quantity', 'First Order Item Quantity'],
    price: ['Total'],
    currency: ['Currency'],
    date: ['Created At', 'Date (UTC)'],
    state: ['Status'],
    refunded: ['Refunded'],
    refunded_amount: ['Refunded Amount'],
    no_sale: ['Test Mode'],
    customer_name: ['User Name', 'Customer Name'],
    customer_email: ['User Email', 'Customer Email'],
  },
  states: { fraudulent: 'revoked' },
  utc: true,
}
