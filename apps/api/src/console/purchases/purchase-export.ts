import { formatMoney, formatTimestamp } from '@saleproof/schema'
import type { ExportFormat } from '@saleproof/schema/console'
import { stringify } from 'csv-stringify/sync'
import type { ExportRow, PurchaseFilters, PurchaseList } from './purchase-list.ts'

const rowsPerPage = 500

const timestampOrNull = (date: Date | null) => date && formatTimestamp(date)

/** The columns of a CSV export, in order. */
const columns: Readonly<Record<string, (row: ExportRow) => unknown>> = {
  purchase_code: (row) => row.code,
  state: (row) => row.state,
  item_id: (row) => row.itemId,
  item_name: (row) => row.itemName,
  license_type: (row) => row.licenseType,
  price: (row) => formatMoney(row.price, row.currency),
  currency: (row) => row.currency,
  date: (row) => formatTimestamp(row.date),
  supported_until: (row) => timestampOrNull(row.supportedUntil),
  downloaded: (row) => row.downloaded,
}

const cellsOf = (row: ExportRow) => Object.values(columns).map((cellOf) => cellOf(row))

/** A line that `import` accepts. */
const recordOf = (row: ExportRow) => ({
  type: 'purchase',
  item: row.itemId,
  purchase_code: row.code,
  license_type: row.licenseType,
  price: formatMoney(row.price, row.currency),
  currency: row.currency,
  supported_until: timestampOrNull(row.supportedUntil),
  downloaded: row.downloaded,
  date: formatTimestamp(row.date),
  state: row.state,
})

/** What makes a spreadsheet run a cell as a formula, where it begins the cell or, for careless readers, a line of it. */
const formulas = /(^|[\r\n])(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g

/** RFC 4180, with every cell in quotes: some readers end a row at any line break. An apostrophe makes a formula a text. */
const toCsv = (rows: readonly ExportRow[], first: boolean) =>
  stringify(rows.map(cellsOf), {
    header: first,
    columns: Object.keys(columns),
    record_delimiter: 'windows',
    quoted: true,
    cast: { boolean: String, string: (value) => value.replace(formulas, "$1'") },
    // Without it, spreadsheets do not read the file as UTF-8.
    bom: first,
  })

const toNdjson = (rows: readonly ExportRow[]) =>
  rows.map((row) => `${JSON.stringify(recordOf(row))}\n`).join('')

const formats = {
  csv: { type: 'text/csv; charset=utf-8', write: toCsv },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', write: toNdjson },
} as const

export const exportType = (format: ExportFormat) => formats[format].type

/** All purchases that match, as pieces of a file. The next piece is read when the previous one was consumed. */
export async function* exportPurchases(
  list: PurchaseList,
  workspaceId: string,
  { format, ...filters }: PurchaseFilters & { format: ExportFormat },
): AsyncGenerator<string> {
  let cursor: string | undefined
  for (let first = true; first || cursor; first = false) {
    const { rows, next } = await list.exportPage(
      workspaceId,
      { ...filters, ...(cursor && { cursor }) },
      rowsPerPage,
    )
    const text = formats[format].write(rows, first)
    if (text) yield text
    cursor = next
  }
}
