import type { Profile } from '../profile.ts'

/**
 * The orders of Shopify, as help.shopify.com describes its export. An order with several items has a row for each: the later rows repeat
 * its name, and leave out what belongs to the order. There are no codes.
 */
export const shopify: Profile = {
  name: 'shopify',
  title: 'Shopify',
  recognizedBy: ['Name', 'Financial Status', 'Lineitem name'],
  columns: {
    order: ['Name'],
    item: ['Lineitem name'],
    quantity: ['Lineitem quantity'],
    price: ['Lineitem price'],
    currency: ['Currency'],
    date: ['Created at'],
    state: ['Financial Status'],
    customer_name: ['Billing Name', 'Shipping Name'],
    customer_email: ['Email'],
    note: ['Notes'],
  },
  lineItems: true,
}
