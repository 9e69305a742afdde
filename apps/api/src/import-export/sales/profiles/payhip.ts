import type { Profile } from '../profile.ts'

/** The sales of Payhip, with the columns that public importers of its export expect, and the license keys where a product has them. */
export const payhip: Profile = {
  name: 'payhip',
  title: 'Payhip',
  recognizedBy: ['Transaction ID', 'Payhip Fee'],
  columns: {
    purchase_code: ['License Key'],
    order: ['Transaction ID'],
    item: ['Product', 'Product Name'],
    quantity: ['Quantity'],
    price: ['Amount', 'Price'],
    currency: ['Currency'],
    date: ['Date'],
    state: ['Status'],
    refunded: ['Refunded'],
    refunded_amount: ['Amount Refunded', 'Refunded Amount'],
    disputed: ['Disputed'],
    customer_name: ['Customer Name', 'Name'],
    customer_email: ['Customer Email', 'Email'],
  },
}
