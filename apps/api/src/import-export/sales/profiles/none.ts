import type { Profile } from '../profile.ts'

/** Any file with a row for each sale, such as a spreadsheet or our own export: columns by their names, in English and Portuguese. */
export const none: Profile = {
  name: 'none',
  title: 'CSV',
  recognizedBy: [],
  columns: {
    purchase_code: ['purchase_code', 'License key', 'License code', 'Licence key', 'Code', 'Key', 'Serial'],
    order: ['Order ID', 'Order number', 'Order', 'Transaction ID', 'Pedido'],
    item: ['Item', 'Item name', 'Product', 'Product name', 'Produto'],
    product_id: ['Item ID', 'Product ID', 'SKU', 'ID do item'],
    license_type: ['license_type', 'License', 'Licence', 'Variant', 'Licença', 'Type'],
    quantity: ['Quantity', 'Qty', 'Quantidade'],
    price: ['Price', 'Amount', 'Total', 'Paid', 'Gross', 'Preço', 'Valor'],
    currency: ['Currency', 'Moeda'],
    date: ['Date', 'Sold at', 'Created at', 'Created', 'Purchase date', 'Order date', 'Data'],
    time: ['Time', 'Hora'],
    supported_until: ['supported_until', 'Support until', 'Support end', 'Suporte até'],
    state: ['Status', 'Situação', 'State', 'Estado'],
    refunded: ['Refunded', 'Reembolsada'],
    refunded_amount: ['Refunded amount', 'Amount refunded'],
    disputed: ['Disputed'],
    dispute_won: ['Dispute won'],
    customer_name: ['customer_name', 'Customer', 'Buyer', 'Buyer name', 'Cliente'],
    customer_email: ['customer_email', 'Email', 'E-mail', 'Buyer email'],
    note: ['Note', 'Notes', 'Nota'],
  },
}
