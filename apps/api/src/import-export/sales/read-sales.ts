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
  const { columns } = options
  const newItems = new Map(options.newItems.map((item) => [item.id, item]))
  const hasDate = ({ cells }: Row) => isTime(cleanCell(cells[columns.date]))
  const readValue = ({ cells }: Row, field: SaleField) => cleanCell(cells[columns[field]])
  tally.begin(header, readValue, columns.purchase_code >= 0)

  /** Makes the item of a sale, if it is a new one, in the currency of its first sale. */
  function addItem({ item, currency }: Record<string, unknown>): Line[] {
    const added = newItems.get(item as number)
    if (!added || currencyDigits(currency as string) === undefined) return []
    newItems.delete(added.id)
    return [{ number: tally.addRecord(0), text: '', value: plainItem(added, currency as string, now) }]
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
    const { issues, records } = read
    const isSale = issues.length === 0
    if (isSale && read.isPartlyRefunded) tally.partial += 1
    if (isSale && read.hasOneCode) tally.oneCode += 1
    return records.flatMap((value, piece) => [
      ...(value && isSale ? addItem(value) : []),
      { number: tally.addRecord(unit, piece > 0), text: '', value, issues, row },
    ])
  }

  for await (const block of blocks) {
    for (let from = 0; from < block.length; from += rowsAtOnce) {
      const lines = block.slice(from, from + rowsAtOnce).flatMap(readRow)
      if (lines.length > 0) yield lines
      const last = lines.at(-1)
      if (!last || !tally.isFull()) continue
      tally.isCut = true
      return yield [{ ...last, value: undefined, issues: [{ field: null, issue: 'sale_many' }] }]
    }
  }
}
