import type { ExportFormat } from '@saleproof/schema/console'
import { stringify } from 'csv-stringify/sync'
import { serializeRecord } from '../../records/json.ts'
import { createRecordPresenter } from '../../records/present.ts'
import { purchaseTable } from '../../records/purchase.ts'
import type { PurchaseFilters } from './candidates.ts'
import type { ExportRow, PurchaseList } from './purchase-list.ts'

const rowsPerPage = 500

const presentFields = createRecordPresenter<Record<string, unknown>>(purchaseTable, null)

/** A record as a row of a CSV export: the name of the item stands beside its id. */
function toCells(row: ExportRow) {
  const { item: item_id, ...fields } = presentFields(row)
  return { item_id, item_name: row.itemName, ...fields }
}

const columns = purchaseTable.presented.flatMap(({ path }) =>
  path === 'item' ? ['item_id', 'item_name'] : path,
)

/**
 * Where a spreadsheet would begin a formula: in a cell, or behind what it may split cells by. A sign between spaces, as in a name, begins
 * none.
 */
const formulaStarts =
  /(?<=^|[\r\n\t,;:|])(?=['"]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])|(?<= )(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20](?! ))/g

/** RFC 4180, with every cell in quotes: some readers end a row at any line break. An apostrophe makes a formula a text. */
const toCsv = (rows: readonly ExportRow[], first: boolean) =>
  stringify(rows.map(toCells), {
    header: first,
    columns,
    record_delimiter: 'windows',
    quoted: true,
    cast: { boolean: String, string: (value) => value.replace(formulaStarts, "'") },
    // Without it, spreadsheets do not read the file as UTF-8.
    bom: first,
  })

const toNdjson = (rows: readonly ExportRow[]) =>
  rows.map((row) => `${serializeRecord.purchase(row)}\n`).join('')

const formats = {
  csv: { type: 'text/csv; charset=utf-8', write: toCsv },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', write: toNdjson },
} as const

export const exportType = (format: ExportFormat) => formats[format].type

/** All purchases that match, as pieces of a file. The next piece is read when the previous one was consumed. */
export async function* exportPurchases(
  list: PurchaseList,
  workspaceId: number,
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
