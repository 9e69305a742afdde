import type { CappedCount } from '@saleproof/schema/console'
import type { PurchaseState } from '@saleproof/schema/constants'
import type { FieldPath, purchaseFields } from '@saleproof/schema/records'
import { plural } from '../plural.ts'

export const purchases = {
  title: 'Purchases',
  lead: 'All sales, and who bought. Only active purchases validate.',
  searchLabel: 'Search by code or customer',
  searchPlaceholder: 'Code, name, e-mail or order',
  searchHint: (count: number) =>
    `A code, or at least ${count} characters of its start or end. Or how a name, an e-mail address, an order or a word of a note begins.`,
  search: 'Search',
  filters: 'Filters',
  allItems: 'All items',
  itemNumber: (id: number) => `Item ${id}`,
  chooseItem: 'Select an item',
  anyLicense: 'Any license',
  licenses: { Regular: 'Regular', Extended: 'Extended' },
  otherLicense: 'Another name …',
  licenseName: 'Name of the license',
  anyState: 'Any status',
  from: 'From',
  to: 'To',
  states: { active: 'Active', refunded: 'Refunded', revoked: 'Revoked' } satisfies Record<
    PurchaseState,
    string
  >,
  fields: {
    purchase_code: 'Purchase code',
    item: 'Item',
    license_type: 'License',
    price: 'Price paid',
    currency: 'Currency',
    date: 'Date',
    supported_until: 'Supported until',
    downloaded: 'Downloaded',
    state: 'Status',
    refunded_at: 'Refunded on',
    customer_name: 'Name',
    customer_email: 'E-mail',
    order: 'Order',
    note: 'Note',
  } satisfies Record<FieldPath<typeof purchaseFields>, string>,
  customer: 'Customer',
  count: ({ count, more }: CappedCount) =>
    `${more ? 'More than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })}`,
  searchingOlder: 'Searching older purchases…',
  noneFound: 'No purchases found',
  noneFoundText: 'Remove a filter, or choose other dates.',
  codeNotFound: 'No purchases found',
  codeNotFoundText:
    'No code is, begins or ends with it, and nothing about a customer begins with it. It may be mistyped or from another shop.',
  codeTooShort: (count: number) =>
    `Nothing about a customer begins with it. Fewer than ${count} characters find only a whole code: type more of its start or end.`,
  explainCode: 'Why does this code fail?',
  clear: 'Show all purchases',
  none: 'No purchases yet',
  noneText:
    'Import a file, record a sale by hand, or let your shop send sales as they happen (POST /admin/import).',
  audited: 'The change is recorded in the audit log.',
  recordSale: 'Record a sale',
  exportList: 'Export',
  removed: 'The purchase was removed.',
}
