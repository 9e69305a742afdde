import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SaleField, saleFields } from '@saleproof/schema/sales-file'
import { findProfile, guessColumns } from '../../src/import-export/sales/columns.ts'
import { readRows } from '../../src/import-export/sales/csv.ts'
import { packageRoot } from './folders.ts'

/** What a state is called in the files of a shop. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lemonsqueezy: { active: 'paid', refunded: 'refunded', revoked: 'fraudulent', partial: 'partial_refund' },
  payhip: { active: 'Paid', refunded: 'Refunded', revoked: 'Disputed', partial: 'Partially refunded' },
  shopify: { active: 'paid', refunded: 'refunded', revoked: 'chargeback', partial: 'partially_refunded' },
  edd: { active: 'Complete', refunded: 'Refunded', revoked: 'Revoked', partial: 'Partially Refunded' },
  woocommerce: { active: 'DELIVERED', refunded: 'refunded', revoked: 'DISABLED' },
  stripe: { active: 'Paid', refunded: 'Refunded', revoked: 'Paid' },
  none: { active: 'paid', refunded: 'refund', revoked: 'chargeback', partial: 'partially refunded' },
}

async function columnsOf(name: string) {
  const fixture = readFileSync(join(packageRoot, `test/fixtures/sales/${name}.csv`))
  async function* source() {
    yield fixture
  }
  for await (const [header] of readRows(source()))
    if (header) return { names: header.cells, columns: guessColumns(findProfile(name)!, header.cells, []) }
  throw new Error(`the fixture ${name} is empty`)
}

/** 3 % are refunded, 1 % disputed; of others a part was refunded, or the seller won the dispute. */
function kindOf(index: number) {
  if (index % 33 === 0) return 'refunded'
  const rest = index % 100
  return rest === 7 ? 'revoked' : rest === 57 ? 'partial' : rest === 58 ? 'won' : 'active'
}

/** A day or time as a shop or a spreadsheet writes it, and what it means. */
function dateOf(index: number) {
  const at = Date.UTC(2024, 0, 1) + index * 3_600_000
  const iso = new Date(at).toISOString()
  const [year, month, day] = iso.slice(0, 10).split('-')
  const written = [
    (at / 86_400_000 + 25_569).toFixed(6),
    `${iso.slice(0, 19)}Z`,
    `${day}/${month}/${year}`,
    `${iso.slice(0, 10)} ${iso.slice(11, 19)}`,
  ][index % 4]!
  return { written, date: index % 4 === 2 ? `${iso.slice(0, 10)}T00:00:00Z` : `${iso.slice(0, 19)}Z` }
}

/**
 * The export of a shop with the columns of its fixture, and the oddities of real files: what a spreadsheet does to it, rows that come twice,
 * repeated headers, a row of totals, a last line that is cut. `sales` are what they end as, by their orders.
 */
export async function exportOf(name: string, count: number) {
  const { names, columns } = await columnsOf(name)
  const sales = new Map<string, { state: string; date: string }>()
  const lines: string[] = []
  const write = (cells: readonly string[]) =>
    lines.push(cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(';'))
  write(names)
  let partial = 0
  for (let index = 0; index < count; index++) {
    const kind = kindOf(index)
    const { written, date } = dateOf(index)
    const price = `${1 + (index % 90)}.99`
    const part = kind === 'partial' ? '0.50' : '0'
    const isDisputed = kind === 'revoked' || kind === 'won'
    // A code that a spreadsheet would take for a formula.
    const code = `${index % 500 === 3 ? "'=" : ''}${name}-${index}-ABCDEFGH`
    const item = index % 2 ? 'Icon pack' : 'Rain loops'
    const values: Partial<Record<SaleField, string>> = {
      purchase_code: code,
      order: `${name}-${index}`,
      item,
      product_id: columns.item < 0 ? item : '',
      quantity: '1',
      price: index % 3 ? price : price.replace('.', ','),
      currency: index % 5 ? 'USD' : 'eur',
      date: written,
      state: words[name]?.[kind] ?? words[name]?.active ?? '',
      refunded: kind === 'refunded' ? '1' : '0',
      refunded_amount: kind === 'refunded' && name === 'stripe' ? price : part,
      disputed: isDisputed ? (kind === 'won' && columns.dispute_won < 0 ? 'won' : '1') : '0',
      dispute_won: kind === 'won' ? '1' : '0',
      repeated: '0',
    }
    const cells = names.map((_, column) => {
      const field = saleFields.find((each) => columns[each] === column)
      return field ? (values[field] ?? '') : 'a "note"\r\nof two lines'
    })
    const ends = kind === 'refunded' || kind === 'revoked'
    if (kind === 'partial' && (words[name]?.partial || columns.refunded_amount >= 0)) partial += 1
    sales.set(`${name}-${index}`, { state: ends ? kind : 'active', date })
    write(cells)
    // A row that comes twice is one sale, but for orders with a row for each piece.
    if (index % 250 === 9 && name !== 'shopify') write(cells)
    if (index % 1000 === 11) write(names)
    if (index % 1000 === 12) lines.push(';'.repeat(names.length - 1))
  }
  write(names.map((_, column) => (column === 0 ? 'Totals' : column === columns.price ? '9999.99' : '')))
  lines.push(`"cut";"off`)
  return { text: `\ufeff${lines.join('\r\n')}`, sales, partial, broken: 1 }
}
