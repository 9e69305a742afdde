import type { SalesOutcome } from '@saleproof/schema/console'
import { type SaleField, saleFields } from '@saleproof/schema/sales-file'
import { stringify } from 'csv-stringify/sync'
import type { FilePreview, ImportResult } from '../domain/imports.ts'
import { recognize } from '../import-export/sales/columns.ts'
import { secretFields } from '../import-export/sales/tally.ts'
import { say, type Terminal } from './terminal.ts'

/** The first row may be a sale: only what reads like a name is repeated. */
const printableName = (column = '') => (/^[\p{L} ()$?._/-]{1,40}$/u.test(column) ? column : undefined)

export const columnName = ({ names }: FilePreview, index: number) =>
  printableName(names[index]) ?? `column ${index + 1}`

export const isSaleField = (text: string): text is SaleField => saleFields.some((field) => field === text)

/** Says how the file is read: the column of each field, and values of it. */
export function describeColumns(terminal: Terminal, preview: FilePreview) {
  const recognized = recognize(preview.names)
  say(terminal, `read as ${preview.profile}, recognised as ${recognized.name}`)
  for (const field of saleFields) {
    const index = preview.columns[field]
    if (index < 0) continue
    const values = secretFields.has(field) ? '…' : preview.samples[index]?.join(', ')
    say(terminal, `${field}: ${columnName(preview, index)} (${values})`)
  }
}

/** What the file calls the column of a field. */
export function problemColumn(preview: FilePreview, field: string | null): string {
  const index = isSaleField(field ?? '') ? preview.columns[field as SaleField] : -1
  return index >= 0 ? columnName(preview, index) : (field ?? 'row')
}

const skipTexts: Readonly<Record<keyof SalesOutcome['skipped'], string>> = {
  blank: 'blank',
  header: 'repeated headers',
  total: 'totals',
  no_sale: 'no sales, such as failed payments',
  repeated: 'later payments',
  no_code: 'without a code',
  given_twice: 'given twice',
}

export function report(
  terminal: Terminal,
  preview: FilePreview,
  { counts, sales, warningCount }: ImportResult,
) {
  if (!sales) return
  for (const { field, message, lines, value, others } of sales.problems) {
    const name = problemColumn(preview, field)
    const shown = [value && `: ${value}`, others && `, and line ${others[0]}`].filter(Boolean).join('')
    const rows = lines.length === 1 ? 'line' : `${lines.length} rows, e.g. line`
    say(terminal, `${name}: ${rows} ${lines[0]}${shown}: ${message}`)
  }
  if (warningCount > 0) say(terminal, `warning: ${warningCount} codes are shorter than 12 characters`)
  const { created, updated, unchanged } = counts.purchase
  const skipped = Object.entries(sales.skipped).filter(([, count]) => count > 0)
  const skips = skipped.reduce((sum, [, count]) => sum + count, 0)
  const more = sales.more > 0 ? ` and ${sales.more} more pieces` : ''
  say(
    terminal,
    `${sales.rows} rows${more}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${skips} skipped, ${sales.rejected} rejected`,
  )
  for (const [reason, count] of skipped)
    say(terminal, `skipped: ${count} ${skipTexts[reason as keyof typeof skipTexts]}`)
  if (sales.partial > 0) say(terminal, `${sales.partial} were refunded in part and stay active`)
  if (sales.one_code > 0)
    say(terminal, `${sales.one_code} rows have one code for several pieces: one sale each`)
  if (sales.kept > 0) say(terminal, `${sales.kept} stay refunded or revoked, as they are stored`)
  for (const sum of sales.sums)
    say(terminal, `${sum.currency} ${sum.state}: ${sum.sales} sales, ${sum.amount}`)
}

/** Lists what no item is known for, as a file for `--items` that lacks the ids. */
export function listUnmatched(terminal: Terminal, items: FilePreview['items']) {
  if (items.length === 0) return
  say(terminal, 'no item is known for these: add their IDs, and give them to --items')
  const rows = items.map(({ text, name, count }) => [text, '', count, name])
  say(terminal, stringify([['Item', 'ID', 'Rows', 'Name'], ...rows]).trimEnd())
}
