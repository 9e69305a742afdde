import type { Profile } from '../profile.ts'

/**
 * The sales of Payhip. No export of theirs was seen, and none is documented: columns are those that public importers expect, in two
 * generations, and the license keys where a product has them.
 */
export const payhip: Profile = {
  name: 'payhip',
  title: 'Payhip',
  recognizedBy: ['Transaction ID', 'Payhip Fee'],
  columns: {
    purchase_code: ['License Key'],
    order: ['Transaction ID', 'Order ID'],
    item: ['Product', 'Product Name', 'Items In Cart'],
    quantity: ['Quantity'],
    price: ['Amount', 'Price'],
    currency: ['Currency'],
    date: ['Date'],
    state: ['Status'],
    refunded: ['Refunded'],
    refunded_amount: ['Amount Refunded', 'Refunded Amount'],
    disputed: ['Disputed'],
    customer_name: ['Customer Name', 'Name', 'First Name'],
    customer_email: ['Customer Email', 'Email'],
  },
}
