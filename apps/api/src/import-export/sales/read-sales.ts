import { currencyDigits } from '@saleproof/schema'
import type { SaleField } from '@saleproof/schema/sales-file'
import type { SalesOptions } from '../../domain/imports.ts'
import type { Line } from '../lines.ts'
import type { Row } from './csv.ts'
import { createSaleReader } from './sale-reader.ts'
import { openTable, skipReason } from './table.ts'
import type { SalesTally } from './tally.ts'
import { cleanCell, isTime } from './values.ts'

type NewItem = SalesOptions['newItems'][number]

/** A plain item, to be completed by its seller. */
const plainItem = ({ id, name, url }: NewItem, currency: string, now: Date) => ({
  type: 'item',
  id,
  kind: 'image',
  name,
  description: '',
  category: '',
  sub_category: '',
  options: [],
  version: '1.0.0',
  demo_link: '',
  tags: [],
  media: { thumbnail: '', preview_image: url, screenshots: [] },
  price: { regular: 0, extended: 0 },
  currency,
  url,
  support: false,
  published_at: now.toISOString(),
})

/** Each may become a thousand records. */
const rowsAtOnce = 16

/** Reads the rows of a sales file as the lines of an import, a few at a time. */
export async function* readSales(
  source: AsyncIterable<Uint8Array>,
  options: SalesOptions,
  tally: SalesTally,
  now: Date,
): AsyncGenerator<Line[]> {
  const { header, names, isTorn, blocks } = await openTable(source)
  const readSale = createSaleReader(options, names)
  const { columns, values } = options
  const hasDate = ({ cells }: Row) => isTime(cleanCell(cells[columns.date]))
  tally.begin(header, ({ cells }, field: SaleField) => cleanCell(cells[columns[field]]))

  /** Makes the new items, in the first currency of the file. */
  function addItems(block: readonly Row[]): Line[] {
    const given = block.map(({ cells }) => cleanCell(cells[columns.currency]))
    const codes = [...given, values.currency ?? '', 'USD'].map((code) => code.toUpperCase())
    const currency = codes.find((code) => currencyDigits(code) !== undefined)!
    return options.newItems.map((item) => {
      return { number: tally.addRecord(0), text: '', value: plainItem(item, currency, now) }
    })
  }

  function readRow(row: Row): Line[] {
    tally.rows += 1
    const reason = skipReason(row, names)
    if (reason && !(reason === 'total' && hasDate(row))) {
      tally.skip(reason)
      return []
    }
    const read = readSale(row, isTorn(row))
    const unit = tally.addRow(row, read.isContinued)
    if ('skipped' in read) {
      tally.skip(read.skipped)
      return []
    }
    if ('issues' in read) return [{ number: tally.addRecord(unit), text: '', issues: read.issues, row }]
    if (read.isPartlyRefunded) tally.partial += 1
    if (read.hasOneCode) tally.oneCode += 1
    return read.records.map((value) => ({ number: tally.addRecord(unit), text: '', value, row }))
  }

  let areItemsAdded = options.newItems.length === 0
  for await (const block of blocks) {
    if (!areItemsAdded && block.length > 0) {
      yield addItems(block)
      areItemsAdded = true
    }
    for (let from = 0; from < block.length; from += rowsAtOnce) {
      const lines = block.slice(from, from + rowsAtOnce).flatMap(readRow)
      if (lines.length > 0) yield lines
      const last = lines.at(-1)
      if (!last || !tally.isFull()) continue
      tally.isCut = true
      return yield [{ ...last, issues: [{ field: null, issue: 'sale_many' }] }]
    }
  }
}
