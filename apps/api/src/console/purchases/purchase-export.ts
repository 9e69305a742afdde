import { formatMoney, formatTimestamp } from '@saleproof/schema'
import type { ExportFormat } from '@saleproof/schema/console'
import { stringify } from 'csv-stringify/sync'
import type { PurchaseFilters, PurchasePages, SoldRow } from './purchase-list.ts'

const rowsAtOnce = 500

const momentOrNull = (date: Date | null) => date && formatTimestamp(date)

/** In the order of the columns. */
const cellsOf = (row: SoldRow) => ({
  purchase_code: row.code,
  state: row.state,
  item_id: row.itemId,
  item_name: row.name,
  license_type: row.licenseType,
  price: formatMoney(row.price, row.currency),
  currency: row.currency,
  date: formatTimestamp(row.date),
  supported_until: momentOrNull(row.supportedUntil),
  downloaded: row.downloaded,
})

/** A line of an import: what was exported can be loaded again. */
const recordOf = (row: SoldRow) => ({
  type: 'purchase',
  item: row.itemId,
  purchase_code: row.code,
  license_type: row.licenseType,
  price: formatMoney(row.price, row.currency),
  currency: row.currency,
  supported_until: momentOrNull(row.supportedUntil),
  downloaded: row.downloaded,
  date: formatTimestamp(row.date),
  state: row.state,
})

const columns = [
  ...['purchase_code', 'state', 'item_id', 'item_name', 'license_type', 'price', 'currency', 'date'],
  ...['supported_until', 'downloaded'],
]

/** RFC 4180. A cell that a spreadsheet would take for a formula is given an apostrophe, which shows it as text. */
const csv = (rows: readonly object[], header: boolean) =>
  stringify([...rows], {
    header,
    columns,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: (value) => String(value) },
    // Without it spreadsheets do not read it as UTF-8.
    bom: header,
  })

const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    text: (rows: readonly SoldRow[], first: boolean) => csv(rows.map(cellsOf), first),
  },
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    text: (rows: readonly SoldRow[]) => rows.map((row) => `${JSON.stringify(recordOf(row))}\n`).join(''),
  },
} as const

export const exportType = (format: ExportFormat) => formats[format].type

/** All purchases that fit, as pieces of a file: the next is made when the one before was taken. */
export async function* exportPurchases(
  pages: PurchasePages,
  workspaceId: string,
  { format, ...filters }: PurchaseFilters & { format: ExportFormat },
): AsyncGenerator<string> {
  let cursor: string | null | undefined
  for (let first = true; first || cursor; first = false) {
    const { rows, next } = await pages.sold(
      workspaceId,
      { ...filters, ...(cursor && { cursor }) },
      rowsAtOnce,
    )
    const text = formats[format].text(rows, first)
    if (text) yield text
    cursor = next
  }
}
