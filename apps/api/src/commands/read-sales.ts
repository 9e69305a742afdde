import { buffer } from 'node:stream/consumers'
import {
  decodeText,
  guessMapping,
  isMapped,
  readSalesTable,
  requiredSaleFields,
  type SaleField,
  type SaleMapping,
  type SalesTable,
  saleFields,
  toSale,
} from '@saleproof/schema/sales-file'
import { CommandError } from './terminal.ts'

interface SalesOptions {
  /** Pairs `field=COLUMN`, separated by commas; true for the columns by their names alone. */
  map: string | true
  /** The id of the item of every row, where no column names it. */
  item: string
}

const isSaleField = (text: string): text is SaleField => saleFields.some((field) => field === text)

/** The first row may be a sale: only what reads like a name is repeated. */
const printableName = (column: string) => (/^[\p{L} ._/-]{1,40}$/u.test(column) ? column : undefined)

function columnOf({ columns }: SalesTable, name: string): number {
  const index = columns.findIndex((column) => column.toLowerCase() === name.trim().toLowerCase())
  const names = columns.map((column, at) => printableName(column) ?? `column ${at + 1}`)
  if (index < 0) throw new CommandError(`the file has no column ${name}: it has ${names.join(', ')}`)
  return index
}

function givenMapping(table: SalesTable, map: string): Partial<Record<SaleField, number>> {
  const pairs = map.split(',').map((pair): [SaleField, number] => {
    const [, field = '', name = ''] = /^\s*(\w+)=(.+)$/.exec(pair) ?? []
    if (!isSaleField(field))
      throw new CommandError(`--map takes field=COLUMN, with one of the fields ${saleFields.join(', ')}`)
    return [field, columnOf(table, name)]
  })
  return Object.fromEntries(pairs)
}

function readMapping(table: SalesTable, { map, item }: SalesOptions): SaleMapping {
  const guessed = guessMapping(table.columns)
  const mapping = map === true ? guessed : { ...guessed, ...givenMapping(table, map) }
  if (isMapped(mapping, item)) return mapping
  const missing = [...requiredSaleFields].filter((field) => mapping[field] < 0 && !(field === 'item' && item))
  throw new CommandError(
    `no column for ${missing.join(', ')}: name each with --map field=COLUMN${missing.includes('item') ? ', or the item with --item' : ''}`,
  )
}

/** Reads sales from CSV: as the lines of an import, and where each line and each field stands in the file. */
export async function readSales(source: AsyncIterable<Uint8Array>, options: SalesOptions) {
  const table = readSalesTable(decodeText(await buffer(source)))
  const mapping = readMapping(table, options)
  async function* lines() {
    for (const row of table.rows) yield Buffer.from(`${JSON.stringify(toSale(row, mapping, options.item))}\n`)
  }
  return {
    source: lines(),
    lineOf: (line: number) => table.rows[line - 1]?.line ?? line,
    columnOf(field: string | null) {
      const index = field !== null && isSaleField(field) ? mapping[field] : -1
      const column = table.columns[index]
      return column === undefined ? undefined : `column ${printableName(column) ?? index + 1}`
    },
  }
}
