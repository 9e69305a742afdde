import type { CappedCount, ExportFormat } from '@saleproof/schema/console'
import type { PurchaseState } from '@saleproof/schema/constants'
import { plural } from '../plural.ts'

/** Loaded with the page of purchases. */
export const purchase = {
  allItems: 'All items',
  anyLicense: 'Any license',
  otherLicense: 'Another name …',
  licenseName: 'Name of the license',
  from: 'From',
  to: 'To',
  lead: 'All sales, and who bought. Only active purchases validate.',
  searchLabel: 'Search by code or customer',
  searchPlaceholder: 'Code or customer',
  searchHint: (count: number) =>
    `A code, or at least ${count} characters of its start or end. Or how a name, an e-mail address, an order or a word of a note begins.`,
  search: 'Search',
  customer: 'Customer',
  count: ({ count, more }: CappedCount) =>
    `${more ? 'More than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })}`,
  paid: (sums: string) => `${sums} paid`,
  addingUp: 'Adding up…',
  tooManyToAdd: 'Too many to add up',
  searchingOlder: 'Searching older purchases…',
  noneFound: 'No purchases found',
  noneFoundText: 'Remove a filter, or choose other dates.',
  codeNotFoundText:
    'No code is, begins or ends with it, and nothing about a customer begins with it. It may be mistyped or from another shop.',
  codeTooShort: (count: number) =>
    `Nothing about a customer begins with it. Fewer than ${count} characters find only a whole code: type more of its start or end.`,
  explainCode: 'Why does this code fail?',
  clear: 'Show all purchases',
  none: 'No purchases yet',
  noneText:
    'Import a file, record a sale by hand, or let your shop send sales as they happen (POST /admin/import).',
  recordSale: 'Record a sale',
  exportList: 'Export',
  removed: 'The purchase was removed.',
  detail: {
    title: 'Purchase',
    copyCode: 'Copy purchase code',
    noSupport: 'No support',
    yes: 'Yes',
    no: 'Not yet',
    response: 'API response',
    responseWhileActive: 'API response while the purchase is active',
    erase: {
      heading: 'Erase the customer',
      lead: 'Removes name, e-mail address, order and note from all purchases of this customer, which stay valid.',
    },
    remove: {
      heading: 'Remove the purchase',
      lead: 'Deletes it for good, so that sales statistics no longer count it. To take back a sale, mark it as refunded instead.',
    },
  },
  history: {
    title: 'History',
    what: 'What',
    sold: 'Sold',
    recorded: 'Recorded by hand',
    imported: {
      active: 'Imported',
      refunded: 'Imported as refunded',
      revoked: 'Imported as revoked',
    } satisfies Record<PurchaseState, string>,
    edited: (fields: string) => `Changed: ${fields},`,
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
  actions: {
    refund: 'Mark as refunded',
    revoke: 'Revoke',
    reinstate: 'Reinstate',
    remove: 'Remove',
    erase: 'Erase',
  },
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
    erase: {
      title: 'Erase this customer?',
      text: 'Name, e-mail address, order and note are removed from all purchases with this e-mail address. The codes stay valid. You cannot undo this.',
    },
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
  edit: { open: 'Edit', title: 'Edit the purchase', done: 'The purchase was changed.' },
  erased: (count: number) =>
    `The customer was erased from ${plural('en', count, { one: 'purchase', other: 'purchases' })}.`,
  sale: {
    codeHint: 'Generated. Replace it to use a code of your own.',
    supportedUntil: 'Supported until (optional)',
    extend: (months: number) => `${months} more months of support`,
    customer: 'Customer (optional)',
    customerText: 'Only you see this: no response of the API contains it.',
    shortCode: 'This code is shorter than 12 characters: it can be guessed.',
    back: 'Another item',
    submit: 'Record the sale',
    done: 'The sale is recorded: its code validates. Send it to the customer.',
  },
  export: {
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

export type PurchaseMessages = typeof purchase
