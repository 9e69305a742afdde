import type { CappedCount, ExportFormat } from '@saleproof/schema/console'
import type { PurchaseState } from '@saleproof/schema/constants'
import type { FieldPath, purchaseFields } from '@saleproof/schema/records'
import { plural } from '../plural.ts'

export const purchases = {
  title: 'Purchases',
  lead: 'All sales by purchase code. Only active purchases validate.',
  searchLabel: 'Search by purchase code',
  searchPlaceholder: 'Paste a purchase code',
  searchHint: (count: number) => `The whole code, or at least ${count} characters of its start or end.`,
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
  } satisfies Partial<Record<FieldPath<typeof purchaseFields>, string>>,
  count: ({ count, more }: CappedCount) =>
    `${more ? 'More than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })}`,
  searchingOlder: 'Searching older purchases…',
  noneFound: 'No purchases found',
  noneFoundText: 'Remove a filter, or choose other dates.',
  codeNotFound: 'No purchase has this code',
  codeNotFoundText: 'No code begins or ends with it, either. It may be mistyped or from another shop.',
  codeTooShort: (count: number) =>
    `Fewer than ${count} characters find only a whole code. Type more of its start or end.`,
  explainCode: 'Why does this code fail?',
  clear: 'Show all purchases',
  none: 'No purchases yet',
  noneText:
    'Import a file, record a sale by hand, or let your shop send sales as they happen (POST /admin/import).',
  detail: {
    title: 'Purchase',
    copyCode: 'Copy purchase code',
    noSupport: 'No support',
    yes: 'Yes',
    no: 'Not yet',
    response: 'API response',
    responseWhileActive: 'API response while the purchase is active',
  },
  history: {
    title: 'History',
    sold: 'Sold',
    recorded: 'Recorded by hand',
    imported: {
      active: 'Imported',
      refunded: 'Imported as refunded',
      revoked: 'Imported as revoked',
    } satisfies Record<PurchaseState, string>,
    changed: { active: 'Reinstated', refunded: 'Refunded', revoked: 'Revoked' } satisfies Record<
      PurchaseState,
      string
    >,
    by: {
      account: (username: string) => `by ${username}`,
      removedAccount: 'by a removed account',
      cli: 'by command line',
      admin_import: 'through the import API',
    },
    firstValidated: 'First validated',
    lastValidated: (count: number) =>
      `Last validated · ${plural('en', count, { one: 'validation', other: 'validations' })}`,
    validatedOnce: 'Validated once',
    neverValidated: 'No validation counted yet.',
    validationsMayLag: 'The count may be up to a minute behind.',
    validationsUnavailable: 'The validations cannot be read now.',
    shortened: 'Earlier changes are no longer in the audit log.',
    timeZone: (name: string) => `Times are in the time zone ${name}.`,
  },
  actions: { refund: 'Mark as refunded', revoke: 'Revoke', reinstate: 'Reinstate', remove: 'Remove' },
  audited: 'The change is recorded in the audit log.',
  confirm: {
    refund: {
      title: 'Mark this purchase as refunded?',
      text: 'Its code stops validating immediately. This does not transfer any money: refund the customer in your payment system. You can reinstate the purchase later.',
    },
    revoke: {
      title: 'Revoke this purchase?',
      text: 'Its code stops validating immediately. Use this after fraud or a chargeback. You can reinstate the purchase later.',
    },
    reinstate: { title: 'Reinstate this purchase?', text: 'Its code validates again immediately.' },
    remove: {
      title: 'Remove this purchase permanently?',
      text: 'The purchase, its history and its validations are deleted. Its code stops validating immediately. You cannot undo this.',
    },
  },
  done: {
    active: 'The purchase is active: its code validates.',
    refunded: 'The purchase is refunded: its code no longer validates.',
    revoked: 'The purchase is revoked: its code no longer validates.',
  } satisfies Record<PurchaseState, string>,
  removal: {
    heading: 'Remove the purchase',
    lead: 'Deletes it for good, so that sales statistics no longer count it. To take back a sale, mark it as refunded instead.',
    done: 'The purchase was removed.',
  },
  sale: {
    title: 'Record a sale',
    codeHint: 'Generated. Replace it to use a code of your own.',
    supportedUntil: 'Supported until (optional)',
    back: 'Another item',
    submit: 'Record the sale',
    done: 'The sale is recorded: its code validates. Send it to the customer.',
  },
  export: {
    open: 'Export',
    title: 'Export purchases',
    text: (count: string) =>
      `${count}, with the current filters. The file contains purchase codes: keep it confidential.`,
    format: 'Format',
    formats: { csv: 'CSV', ndjson: 'NDJSON' } satisfies Record<ExportFormat, string>,
    formatTexts: {
      csv: 'For spreadsheets.',
      ndjson: 'One record per line, in the import format.',
    } satisfies Record<ExportFormat, string>,
    submit: 'Download',
    done: 'The file was downloaded.',
  },
}
