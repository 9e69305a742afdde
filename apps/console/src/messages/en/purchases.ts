import type { PurchaseState } from '@saleproof/schema'
import type { CappedCount, ExportFormat } from '@saleproof/schema/console'
import { plural } from '../plural.ts'

export const purchases = {
  title: 'Purchases',
  lead: 'Every sale, by its purchase code. Only an active one validates.',
  findLabel: 'Find a purchase code',
  findPlaceholder: 'Paste a purchase code',
  find: 'Find',
  filters: 'Filters',
  item: 'Item',
  allItems: 'All items',
  itemNumber: (id: number) => `Item ${id}`,
  chooseItem: 'Choose an item',
  license: 'License',
  anyLicense: 'Any license',
  state: 'State',
  anyState: 'Any state',
  from: 'From',
  to: 'To',
  states: { active: 'Active', refunded: 'Refunded', revoked: 'Revoked' } satisfies Record<
    PurchaseState,
    string
  >,
  columns: {
    code: 'Purchase code',
    item: 'Item',
    license: 'License',
    paid: 'Paid',
    date: 'Date',
    state: 'State',
  },
  count: ({ count, more }: CappedCount) =>
    `${more ? 'More than ' : ''}${plural('en', count, { one: 'purchase', other: 'purchases' })}`,
  noneFound: 'No purchase fits',
  noneFoundText: 'Take a filter away, or choose other days.',
  noCode: 'No purchase has this code',
  noCodeText: 'It may be mistyped, cut off, or of another shop. Find out what the API makes of it.',
  why: 'Why does this code fail?',
  clear: 'Show all purchases',
  none: 'No purchases yet',
  noneText: 'They come with an import, or from your shop as they happen (POST /admin/import).',
  detail: {
    title: 'Purchase',
    copyCode: 'Copy the purchase code',
    item: 'Item',
    license: 'License',
    paid: 'Paid',
    date: 'Bought',
    support: 'Supported until',
    noSupport: 'No support',
    downloaded: 'Downloaded',
    yes: 'Yes',
    no: 'Not yet',
    answers: 'What the API answers',
    answersWhile: 'What the API answers while the purchase is active',
  },
  actions: { refund: 'Mark as refunded', revoke: 'Revoke', reinstate: 'Reinstate' },
  ask: {
    refund: {
      title: 'Mark this purchase as refunded?',
      text: 'Its code stops validating at once. No money is moved: pay it back where it was paid. You can reinstate it later.',
    },
    revoke: {
      title: 'Revoke this purchase?',
      text: 'Its code stops validating at once, as after fraud or a charge-back. You can reinstate it later.',
    },
    reinstate: { title: 'Reinstate this purchase?', text: 'Its code validates again at once.' },
    noted: 'The change is noted in the audit log.',
  },
  done: {
    active: 'The purchase is active: its code validates.',
    refunded: 'The purchase is refunded: its code no longer validates.',
    revoked: 'The purchase is revoked: its code no longer validates.',
  } satisfies Record<PurchaseState, string>,
  export: {
    open: 'Export',
    title: 'Export purchases',
    text: (count: string) =>
      `${count}, as they are filtered now. The file holds purchase codes: keep it to yourself.`,
    format: 'Format',
    formats: { csv: 'CSV', ndjson: 'NDJSON' } satisfies Record<ExportFormat, string>,
    formatTexts: {
      csv: 'For spreadsheets.',
      ndjson: 'One record a line, as the import takes it.',
    } satisfies Record<ExportFormat, string>,
    submit: 'Download',
    done: 'The file was downloaded.',
  },
}
