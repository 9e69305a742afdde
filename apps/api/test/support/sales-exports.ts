import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './folders.ts'

/** Where the seller lives: three hours behind UTC, all year. */
export const timeZone = 'America/Sao_Paulo'

const hour = 3_600_000
const dayLength = 24 * hour

/** A sale as it has to be stored; without a code where one is made. */
export interface StoredSale {
  purchase_code?: string
  order: string
  item: string
  license_type: string
  price: number
  currency: string
  date: string
  state: string
  customer_name?: string
  customer_email?: string
}

/** 3 % are refunded, 1 % disputed; of others a part was refunded, or the seller won the dispute. */
type Kind = 'active' | 'refunded' | 'revoked' | 'partial' | 'won'

/** What a row becomes; `partial` is active, and counted. */
type Outcome = 'active' | 'refunded' | 'revoked' | 'partial' | 'skipped' | 'rejected'

interface Row {
  index: number
  kind: Kind
  state: string
  code: string
  order: string
  item: 'Icon pack' | 'Rain loops'
  amount: string
  currency: string
  time: string
  name: string
  email: string
}

type Cells = Readonly<Record<string, string>>

/** How the files of a shop say it, by hand: the service has to find it out from the names of the columns. */
interface Shop {
  cells: (row: Row) => Cells
  /** What its states are called. */
  states: Partial<Record<Kind, string>> & { active: string }
  outcomes?: Partial<Record<Kind, Outcome>>
  /** Whether its times are in UTC, or in the time zone of the seller. */
  isUtc?: true
  makesCodes?: true
  /** What its files do not say, and the answers to that. */
  lacks: readonly ('license_type' | 'currency' | 'price' | 'customer_name' | 'customer_email')[]
  /** A row for another item of the order. */
  continuation?: (row: Row) => Cells
  /** A row that is no sale. */
  stock?: Cells
}

const isRefunded = ({ kind }: Row) => kind === 'refunded'
const flag = (isSet: boolean) => (isSet ? '1' : '0')
const part = (row: Row) => (row.kind === 'partial' ? '0.50' : '0')
const license = ({ index }: Row, written: string) => (index % 7 === 0 ? written : '')
const quantity = ({ index }: Row) => (index % 40 === 6 ? '3' : '1')
const idOf = ({ item }: Row, ids: readonly [string, string]) => ids[item === 'Icon pack' ? 0 : 1]

const shops: Readonly<Record<string, Shop>> = {
  gumroad: {
    states: { active: '' },
    isUtc: true,
    lacks: ['currency'],
    cells: (row) => ({
      'Purchase ID': `p${row.index}==`,
      'Order Number': row.order,
      'Item Name': row.item,
      'Product ID': idOf(row, ['icons', 'loops']),
      'License Key': row.code,
      'Buyer Name': row.name,
      'Purchase Email': row.email,
      // The day comes twice, or its time alone in the other column.
      'Purchase Date': row.index % 4 === 3 ? row.time.slice(0, 10) : row.time,
      'Purchase Time (UTC timezone)': row.index % 4 === 3 ? row.time.slice(11) : '',
      'Sale Price ($)': row.amount,
      'Refunded?': flag(isRefunded(row) || row.kind === 'partial'),
      'Fully Refunded?': flag(isRefunded(row)),
      'Partial Refund ($)': part(row),
      'Disputed?': flag(row.kind === 'revoked' || row.kind === 'won'),
      'Dispute Won?': flag(row.kind === 'won'),
      'Recurring Charge?': '0',
      'Free trial purchase?': flag(row.index % 100 === 21),
      'Pre-order authorization?': '0',
      Variants: license(row, '(Extended)'),
      Quantity: quantity(row),
    }),
  },
  lemonsqueezy: {
    states: { active: 'paid', refunded: 'refunded', revoked: 'fraudulent', partial: 'partial_refund' },
    isUtc: true,
    lacks: [],
    cells: (row) => ({
      identifier: row.order,
      order_number: String(row.index),
      user_name: row.name,
      user_email: row.email,
      currency: row.currency,
      total: row.amount,
      status: row.state,
      refunded: String(isRefunded(row)),
      refunded_amount: isRefunded(row) ? row.amount : part(row),
      product_id: idOf(row, ['7001', '7002']),
      product_name: row.item,
      variant_name: license(row, 'Extended') || 'Default',
      quantity: quantity(row),
      license_key: row.code,
      created_at: row.time,
      test_mode: 'false',
    }),
  },
  payhip: {
    states: { active: 'Paid', refunded: 'Refunded', revoked: 'Disputed', partial: 'Partially refunded' },
    lacks: ['license_type', 'customer_name'],
    cells: (row) => ({
      'Transaction ID': row.order,
      'License Key': row.code,
      Product: row.item,
      Date: row.time,
      Amount: row.amount,
      Currency: row.currency,
      'Customer Email': row.email,
      Status: row.state,
    }),
  },
  shopify: {
    states: { active: 'paid', refunded: 'refunded', revoked: 'voided', partial: 'partially_refunded' },
    makesCodes: true,
    lacks: ['license_type'],
    outcomes: { revoked: 'skipped' },
    cells: (row) => ({
      Name: row.order,
      'Financial Status': row.state,
      'Lineitem name': row.item,
      'Lineitem quantity': '1',
      'Lineitem price': row.amount,
      Currency: row.currency,
      'Created at': row.time,
      'Billing Name': row.name,
      Email: row.email,
    }),
    continuation: (row) => ({
      Name: row.order,
      'Lineitem name': row.item,
      'Lineitem quantity': '2',
      'Lineitem price': row.amount,
    }),
  },
  edd: {
    states: { active: 'complete', refunded: 'refunded', revoked: 'revoked', partial: 'partially_refunded' },
    isUtc: true,
    lacks: ['license_type'],
    cells: (row) => ({
      'Order Number': row.order,
      'Purchase Key': row.code,
      'Products (Verbose)': `${row.item}${row.index % 5 ? '' : ' (2)'} - ${row.currency === 'USD' ? '$' : '€'}${row.amount}`,
      Amount: row.amount,
      Currency: row.currency,
      Date: row.time,
      Email: row.email,
      'Customer Name': row.name,
      'Mode (Live|Test)': 'live',
      Status: row.state,
    }),
  },
  woocommerce: {
    states: { active: 'DELIVERED', refunded: 'INACTIVE', revoked: 'DISABLED', partial: 'SOLD' },
    isUtc: true,
    lacks: ['license_type', 'currency', 'price', 'customer_name', 'customer_email'],
    // A license that has an order and is not sold is unclear.
    outcomes: { refunded: 'rejected', partial: 'active' },
    cells: (row) => ({
      order_id: row.order,
      license_key: row.code,
      product_id: idOf(row, ['55', '56']),
      created_at: row.time,
      expires_at: '',
      status: row.state,
    }),
    stock: { license_key: 'IN-STOCK', product_id: '55', status: 'ACTIVE', created_at: '2024-01-01' },
  },
  stripe: {
    states: { active: 'Paid', refunded: 'Refunded' },
    isUtc: true,
    makesCodes: true,
    lacks: ['license_type', 'customer_name'],
    cells: (row) => ({
      id: row.order,
      Description: row.item,
      Amount: row.amount,
      'Amount Refunded': isRefunded(row) ? row.amount : part(row),
      Currency: row.currency.toLowerCase(),
      'Created date (UTC)': row.time,
      'Customer Email': row.email,
      'Dispute Status': { revoked: 'Lost', won: 'Won' }[row.kind as string] ?? '',
      Status: row.state,
      Mode: 'Live',
    }),
  },
  none: {
    states: { active: 'paid', refunded: 'refund', revoked: 'chargeback', partial: 'partially refunded' },
    lacks: ['license_type', 'customer_name', 'customer_email'],
    cells: (row) => ({
      'Order number': row.order,
      'License key': row.code,
      Product: row.item,
      Amount: row.amount,
      Currency: row.currency,
      Date: row.time,
      Status: row.state,
    }),
  },
}

const defaults: Readonly<Record<Kind, Outcome>> = {
  active: 'active',
  refunded: 'refunded',
  revoked: 'revoked',
  partial: 'partial',
  won: 'active',
}

function kindOf(index: number): Kind {
  if (index % 33 === 0) return 'refunded'
  const rest = index % 100
  return rest === 7 ? 'revoked' : rest === 57 ? 'partial' : rest === 58 ? 'won' : 'active'
}

/** A day or time as a shop or a spreadsheet writes it, and what it means. */
function timeOf(index: number, isUtc: boolean) {
  const shown = Date.UTC(2024, 0, 1) + index * hour
  const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`
  const meant = (time: number) => iso(isUtc ? time : time + 3 * hour)
  const [date = '', clock = ''] = iso(shown).slice(0, 19).split('T')
  const [year, month, day] = date.split('-')
  switch (index % 4) {
    case 0:
      return { time: (shown / dayLength + 25_569).toFixed(6), date: meant(shown) }
    case 1:
      return { time: iso(shown), date: iso(shown) }
    case 2:
      return { time: `${day}/${month}/${year}`, date: meant(shown - (shown % dayLength)) }
    default:
      return { time: `${date} ${clock}`, date: meant(shown) }
  }
}

/** An amount as the one or the other part of the world writes it. */
function amountOf(index: number) {
  const price = index % 50 === 0 ? 1234.5 : 1.99 + (index % 90)
  const written = price.toFixed(2).replace(/\B(?=(\d{3})+\.)/, ',')
  const swapped = written.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
  return { price, amount: index % 3 ? written : swapped }
}

/** What a spreadsheet makes of a text that looks like a formula. */
function guard(index: number, text: string) {
  if (index % 500 === 3) return { written: `'=${text}`, meant: `=${text}` }
  return { written: index % 500 === 4 ? `="${text}"` : text, meant: text }
}

function headerOf(name: string): readonly string[] {
  const text = readFileSync(join(packageRoot, `test/fixtures/sales/${name}.csv`), 'utf8')
  const [line = ''] = text.split(/\r?\n/)
  return line.split(line.includes(';') ? ';' : ',').map((cell) => cell.replaceAll('"', ''))
}

/**
 * The export of a shop with the columns of its fixture, and the oddities of real files: what a spreadsheet does to it, rows that come twice,
 * repeated headers, a row of totals, a last line that is cut. `sales` are what they end as.
 */
export function exportOf(name: string, count: number) {
  const names = headerOf(name)
  const shop = shops[name]!
  const has = (field: Shop['lacks'][number]) => !shop.lacks.includes(field)
  const lines: string[] = []
  const sales: StoredSale[] = []
  const counts = { rows: 0, good: 0, partial: 0, rejected: 0, oneCode: 0 }
  const push = (cells: readonly string[]) =>
    lines.push(cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(';'))

  function write(cells: Cells, outcome: Outcome, other = 'a "note"\r\nof two lines') {
    const unknown = Object.keys(cells).filter((column) => !names.includes(column))
    if (unknown.length > 0) throw new Error(`${name} has no column ${unknown}`)
    counts.rows += 1
    if (outcome !== 'skipped' && outcome !== 'rejected') counts.good += 1
    if (outcome === 'partial') counts.partial += 1
    if (outcome === 'rejected') counts.rejected += 1
    if (cells.Quantity === '3' || cells.quantity === '3') counts.oneCode += 1
    push(names.map((column) => cells[column] ?? other))
  }

  function writeSale(index: number, isRepeated: boolean) {
    const kind = kindOf(index)
    const outcome = shop.outcomes?.[kind] ?? defaults[kind]
    const code = guard(index, `${name}-${index}-ABCDEFGH`)
    const buyer = guard(index + 1, `Buyer ${index}`)
    const { time, date } = timeOf(index, shop.isUtc === true)
    const order = `${name}-${index}`
    const email = `buyer${index % 900}@example.com`
    const currency = has('currency') && index % 5 === 0 ? 'EUR' : 'USD'
    const isSold = outcome !== 'skipped' && outcome !== 'rejected'
    const more = shop.continuation && index % 10 === 2 ? [1, 2] : []
    for (const position of [0, ...more.slice(0, 1)]) {
      const item = (index + position) % 2 ? 'Icon pack' : 'Rain loops'
      const { price, amount } = amountOf(index + position)
      const state = shop.states[kind] ?? shop.states.active
      const said = { index, kind, state, code: code.written, order, item, amount, currency, time } as const
      const row = { ...said, name: buyer.written, email }
      if (position === 0) write(shop.cells(row), outcome)
      else write(shop.continuation!(row), outcome, '')
      if (!isSold || isRepeated) continue
      const sale: StoredSale = {
        ...(!shop.makesCodes && { purchase_code: code.meant }),
        order,
        item,
        currency,
        date,
        license_type: has('license_type') && index % 7 === 0 ? 'Extended' : 'Regular',
        price: has('price') ? price : 5,
        state: outcome === 'partial' ? 'active' : outcome,
        ...(has('customer_name') && { customer_name: buyer.meant }),
        ...(has('customer_email') && { customer_email: email }),
      }
      sales.push(...(position === 0 ? [sale] : more.map(() => sale)))
    }
  }

  push(names)
  for (let index = 0; index < count; index++) {
    writeSale(index, false)
    // What comes twice is one sale.
    if (index % 250 === 11) writeSale(index - 2, true)
    if (index % 1000 === 11) push(names)
    if (index % 1000 === 12) lines.push(';'.repeat(names.length - 1))
    if (index % 1000 === 13 && shop.stock) write(shop.stock, 'skipped', '')
  }
  push(names.map((_, column) => (column === 0 ? 'Totals' : '9999.99')))
  lines.push(`"cut";"off`)
  counts.rows += 1
  counts.rejected += 1
  return { text: `\ufeff${lines.join('\r\n')}`, sales, ...counts, lacks: shop.lacks }
}

/** How what is stored differs from what an export says, for every sale; `exported` are the lines of ours, `items` the names of the items. */
export function compareStored(
  name: string,
  exported: string,
  items: Readonly<Record<number, string>>,
  { sales }: Pick<ReturnType<typeof exportOf>, 'sales'>,
) {
  const fields = Object.keys(sales[0] ?? {}) as (keyof StoredSale)[]
  const write = (sale: StoredSale) => JSON.stringify(fields.map((field) => sale[field]))
  const lines = exported.split('\n').filter((line) => line.includes(`"order":"${name}-`))
  const stored = lines.map((line) => JSON.parse(line))
  const expected = sales.map(write)
  const found = stored.map((sale) => write({ ...sale, item: items[sale.item] }))
  // No more than can be read.
  const only = (these: readonly string[], others: readonly string[]) => {
    const known = new Set(others)
    return these.filter((sale) => !known.has(sale)).slice(0, 3)
  }
  return {
    missing: only(expected, found),
    unexpected: only(found, expected),
    codes: new Set(stored.map(({ purchase_code }) => purchase_code)).size,
  }
}
