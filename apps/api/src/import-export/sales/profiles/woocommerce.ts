import type { Profile } from '../profile.ts'

/**
 * The licenses of License Manager for WooCommerce, with the columns of `Export` and the states of `LicenseStatus` in
 * github.com/wpexpertsio/license-manager-woocommerce. Active and inactive licenses are in stock: one that has an order was set so by hand.
 * Names of products and prices are not in the file.
 */
export const woocommerce: Profile = {
  name: 'woocommerce',
  title: 'License Manager for WooCommerce',
  recognizedBy: ['license_key', 'product_id', 'valid_for'],
  columns: {
    purchase_code: ['license_key'],
    order: ['order_id'],
    product_id: ['product_id'],
    date: ['created_at'],
    supported_until: ['expires_at'],
    state: ['status'],
  },
  states: { active: 'stock', inactive: 'stock', disabled: 'revoked' },
  utc: true,
}
