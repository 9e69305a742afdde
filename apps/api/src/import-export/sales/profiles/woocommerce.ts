import type { Profile } from '../profile.ts'

/**
 * The licenses of License Manager for WooCommerce, with the columns that its settings offer (`Export` in
 * github.com/wpexpertsio/license-manager-woocommerce). Active and inactive licenses are in stock. Prices are not in the file.
 */
export const woocommerce: Profile = {
  name: 'woocommerce',
  title: 'License Manager for WooCommerce',
  recognizedBy: ['license_key', 'product_id', 'valid_for'],
  columns: {
    purchase_code: ['license_key'],
    order: ['order_id', 'order_num'],
    item: ['product_name'],
    product_id: ['product_id'],
    date: ['created_at'],
    supported_until: ['expires_at'],
    state: ['status'],
    customer_name: ['user_name'],
    customer_email: ['user_email'],
  },
  states: { active: 'none', inactive: 'none', disabled: 'revoked' },
  timeZone: 'UTC',
}
