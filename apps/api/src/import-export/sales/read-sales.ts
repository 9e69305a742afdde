import type { SaleField } from '@saleproof/schema/sales-file'
import type { SalesOptions } from '../../domain/imports.ts'
import type { Line } from '../lines.ts'
import type { Row } from './csv.ts'
import { createSaleReader } from './sale-reader.ts'
import { openTable, skipReason } from './table.ts'
import type { SalesTally } from './tally.ts'
import { cleanCell, isTime } from './values.ts'

/** A plain item, to be completed by its seller. */
const plainItem = ({ id, name, url }: { id: number; name: string; url: string }, now: Date) => ({
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
  currency: 'USD',
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
  const { columns } = options
  const hasDate = ({ cells }: Row) => isTime(cleanCell(cells[columns.date]))
  tally.begin(header, ({ cells }, field: SaleField) => cleanCell(cells[columns[field]]))

  const newItems = options.newItems.map((item): Line => {
    return { number: tally.addRecord(0), text: '', value: plainItem(item, now) }
  })
  if (newItems.length > 0) yield newItems

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

  for await (const block of blocks)
    for (let from = 0; from < block.length; from += rowsAtOnce) {
      const lines = block.slice(from, from + rowsAtOnce).flatMap(readRow)
      if (lines.length > 0) yield lines
      const last = lines.at(-1)
      if (!last || !tally.isFull()) continue
      tally.isCut = true
      return yield [{ ...last, issues: [{ field: null, issue: 'sale_many' }] }]
    }
}
