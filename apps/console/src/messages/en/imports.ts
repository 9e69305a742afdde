import type { SkipReason } from '@saleproof/schema/console'
import type { FieldPath, purchaseFields } from '@saleproof/schema/records'
import type { SaleField } from '@saleproof/schema/sales-file'
import { plural } from '../plural.ts'

const row = { one: 'row', other: 'rows' }

export const imports = {
  lead: 'Bring in sales from a CSV file, or items and sales in the import format. Everything is checked first.',
  file: 'File',
  fileHint: 'CSV of a shop, a payment service or a spreadsheet, or NDJSON of an export; up to 16 MiB.',
  unreadable: 'The file could not be read. Select it again.',
  line: 'Line',
  field: 'Field',
  problem: 'Problem',
  check: 'Check',
  stop: 'Stop',
  stopped: 'Stopped. Nothing was imported.',
  running: 'Importing',
  checked: 'Nothing is wrong. Nothing was imported yet.',
  done: 'The file is imported.',
  counts: (created: number, updated: number, unchanged: number) =>
    [
      plural('en', created, { other: 'new' }),
      plural('en', updated, { other: 'changed' }),
      `${plural('en', unchanged, { other: 'unchanged' })}.`,
    ].join(', '),
  warnings: (count: number) =>
    plural('en', count, {
      one: 'code is shorter than 12 characters: it can be guessed.',
      other: 'codes are shorter than 12 characters: they can be guessed.',
    }),
  nothingText: 'Nothing was imported. Fix these lines in the file and select it again.',
  recognized: (title: string, rows: number) => `${title}: ${plural('en', rows, row)} with sales.`,
  noRows:
    'The file has no sales that can be read. Save it as CSV, with a row for each sale below the names of the columns.',
  from: 'Export of',
  anyFile: 'Any CSV file',
  columns: 'Columns',
  columnsText: 'What each column of the file is. Below each one are values of it.',
  more: 'More columns',
  none: 'Not in the file',
  column: (number: number) => `Column ${number}`,
  /** The others have the names that they have in a purchase. */
  fields: {
    item: 'Item name',
    product_id: 'Item ID in the shop',
    quantity: 'Quantity',
    time: 'Time of day',
    refunded: 'Fully refunded',
    refunded_amount: 'Amount refunded',
    disputed: 'Disputed',
    dispute_won: 'Dispute won',
    enabled: 'Code enabled',
    no_sale: 'No sale',
    repeated: 'Later payment',
    customer_name: 'Customer',
    customer_email: 'E-mail of the customer',
  } satisfies Partial<Record<SaleField, string>> &
    Record<Exclude<SaleField, FieldPath<typeof purchaseFields>>, string>,
  answers: 'Questions',
  answersText: 'What the file does not say.',
  first: (list: string) => `Answer first: ${list}.`,
  every: (label: string) => `${label} of every row that has none`,
  dates: 'What 03/04/2026 means',
  datesUnknown: 'Select the order',
  dateOrders: { dmy: '3 April (day first)', mdy: '4 March (month first)' },
  timeZone: 'Time zone',
  timeZoneHint: 'Yours: a day begins at its midnight.',
  codes: (rows: number) => `${plural('en', rows, { one: 'row has', other: 'rows have' })} no code`,
  codesUnknown: 'Select what happens',
  codeAnswers: { make: 'Make codes for them', skip: 'Leave them out' },
  items: 'Items',
  itemsText: 'Which of your items each one of the file is. It is kept for the next file of this shop.',
  moreItems:
    'The file has more items than these. Rows of the others come back with a problem: import them afterwards.',
  inFile: 'In the file',
  rows: 'Rows',
  item: 'Your item',
  itemless: 'Rows without an item',
  newItem: (name: string) => `Create “${name}”`,
  submitGood: (count: number) => `Import the ${plural('en', count, { one: 'good row', other: 'good rows' })}`,
  problems: (count: number, more: boolean) =>
    `${more ? 'More than ' : ''}${plural('en', count, row)} with problems`,
  problemsText: 'They are left out, until you correct them.',
  where: (rows: number, line: number) =>
    rows === 1 ? `Line ${line}` : `${plural('en', rows, row)}, such as line ${line}`,
  andLine: (line: number) => `and line ${line}`,
  whole: 'Row',
  download: 'Download these rows',
  balance: (rows: number, more: number) =>
    more > 0
      ? `${plural('en', rows, row)} in the file, and ${plural('en', more, { other: 'more' })} because of quantities:`
      : `${plural('en', rows, row)} in the file:`,
  outcome: {
    created: 'New',
    updated: 'Changed',
    unchanged: 'Unchanged',
    skipped: 'Skipped',
    rejected: 'With problems',
  },
  skipped: {
    blank: 'blank',
    header: 'repeated header',
    total: 'totals',
    no_sale: 'no sale',
    repeated: 'later payment',
    no_code: 'without a code',
    given_twice: 'given twice',
  } satisfies Record<SkipReason, string>,
  partial: (count: number) =>
    plural('en', count, {
      one: 'sale was refunded in part: its code stays valid.',
      other: 'sales were refunded in part: the codes stay valid.',
    }),
  oneCode: (count: number) =>
    `${plural('en', count, { one: 'row has', other: 'rows have' })} one code for several pieces: one sale each.`,
  kept: (count: number) =>
    `${plural('en', count, { one: 'sale stays', other: 'sales stay' })} refunded or revoked, as stored.`,
  sums: 'Sums',
  sales: 'Sales',
  amount: 'Amount',
}

/** Loaded with the page of imports, which few visits open. */
export type ImportMessages = typeof imports
