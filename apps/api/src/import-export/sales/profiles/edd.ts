import type { Profile } from '../profile.ts'

/**
 * The payments of Easy Digital Downloads, with the columns of `EDD_Batch_Payments_Export` (2.x) and `EDD\Admin\Exports\Exporters\Orders`
 * (3.x) in github.com/awesomemotive/easy-digital-downloads. The names of products end in a quantity above 1 and their price; the `State` is
 * that of an address. Renewals of a subscription have states of their own; a payment that is being processed is not complete.
 */
export const edd: Profile = {
  name: 'edd',
  title: 'Easy Digital Downloads',
  recognizedBy: ['Purchase Key', 'Transaction ID', 'Discount Code'],
  columns: {
    purchase_code: ['License Key', 'Purchase Key'],
    order: ['Order Number', 'Payment Number', 'Order ID', 'Payment ID', 'ID'],
    item: ['Products (Verbose)', 'Products'],
    price: ['Amount'],
    currency: ['Currency'],
    date: ['Date'],
    state: ['Status'],
    no_sale: ['Mode (Live|Test)'],
    customer_name: ['Customer Name', 'First Name'],
    customer_email: ['Email', 'Customer Email'],
  },
  states: { 'edd subscription': 'none', renewal: 'none', subscription: 'none' },
  utc: 'Order ID',
  oneRow: true,
  notInItem: / \(\d{1,3}\)(?= - )| - [^-/\d]*\d[^-/]*(?= \/ |$)/g,
}
