import type { Profile } from '../profile.ts'

/**
 * The payments of Stripe, as docs.stripe.com and public importers name the columns of its export. What was refunded is an amount beside
 * the status; failed payments are no sales. There are no codes.
 */
export const stripe: Profile = {
  name: 'stripe',
  title: 'Stripe',
  recognizedBy: ['id', 'Amount', 'Amount Refunded', 'Status'],
  columns: {
    order: ['id'],
    item: ['Description'],
    price: ['Amount'],
    currency: ['Currency'],
    date: ['Created date (UTC)', 'Created (UTC)', 'Created'],
    state: ['Status'],
    refunded_amount: ['Amount Refunded'],
    no_sale: ['Mode'],
    disputed: ['Dispute Status'],
    customer_name: ['Card Name', 'Customer Description'],
    customer_email: ['Customer Email'],
  },
  states: { canceled: 'none', 'requires payment method': 'none' },
  utc: true,
  oneRow: true,
}
