import type { Profile } from '../profile.ts'

/**
 * The payments of Easy Digital Downloads, with the columns of `EDD_Batch_Payments_Export` in github.com/awesomemotive/easy-digital-downloads.
 * The names of products end in their price; the `State` is that of an address.
 */
export const edd: Profile = {
  name: 'edd',
  title: 'Easy Digital Downloads',
  recognizedBy: ['Purchase Key', 'Products', 'Payment Method'],
  columns: {
    purchase_code: ['License Key', 'Purchase Key'],
    order: ['ID', 'Payment Number'],
    item: ['Products'],
    price: ['Amount'],
    currency: ['Currency'],
    date: ['Date'],
    state: ['Status'],
    customer_name: ['Customer Name', 'First Name'],
    customer_email: ['Email', 'Customer Email'],
  },
  states: { processing: 'active' },
  notInItem: / - [^-/\d]*\d[^-/]*(?= \/ |$)/g,
}
