import { createHmac } from 'node:crypto'
import { currencyDigits, parseMoney } from '@saleproof/schema'
import { customerFields } from '@saleproof/schema/records'
import type { SaleField } from '@saleproof/schema/sales-file'
import { decimal } from '../../domain/amounts.ts'
import type { SalesOptions } from '../../domain/imports.ts'
import type { FieldIssue } from '../../records/check-record.ts'
import { findProfile, isInUtc, readSaleState } from './columns.ts'
import type { Row } from './csv.ts'
import type { Profile } from './profile.ts'
import { none } from './profiles/none.ts'
import { cleanCell, createTimeReader, isTime, readFlag, toAmount } from './values.ts'

interface Sales {
  issues: readonly FieldIssue[]
  /** With valid values where there are issues, so that the others are checked, too; undefined where none can be read. */
  records: readonly (Record<string, unknown> | undefined)[]
  isPartlyRefunded?: boolean
  hasOneCode?: boolean
}

/** What a row is: sales, or something that is no sale. */
export type ReadRow = Sales | { skipped: 'no_sale' | 'repeated' | 'no_code' }

const maxQuantity = 1000

/** How many more codes than rows a file makes. */
const maxMore = 100_000

// Without characters that look alike, and 32 of them, so that each is equally likely.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** The code of a sale that has none: it cannot be guessed without the seed, and the same sale gets it again. */
function makeCode(seed: string, ...identity: readonly (string | number)[]): string {
  const bytes = createHmac('sha256', seed).update(JSON.stringify(identity)).digest().subarray(0, 20)
  const characters = Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length))
  return [0, 5, 10, 15].map((start) => characters.slice(start, start + 5).join('')).join('-')
}

/** Splits an amount into equal parts; the first ones have what is left. */
function splitAmount(amount: string, currency: string, count: number): readonly string[] {
  const money = currencyDigits(currency) === undefined ? undefined : parseMoney(amount, currency)
  if (count === 1 || money === undefined || 'problem' in money) return Array(count).fill(amount)
  const { minor } = money
  return Array.from({ length: count }, (_, index) =>
    decimal(BigInt(Math.floor(minor / count) + (index < minor % count ? 1 : 0)), currency),
  )
}

/** What each row of an order says itself; the rest may be said by the first one. */
const ofRow: ReadonlySet<SaleField> = new Set(['purchase_code', 'item', 'product_id', 'quantity', 'price'])

/** Gumroad writes `(Extended)`. In any CSV it may be one of ours, and stays as it is. */
function readLicense(text: string, profile: Profile): string {
  if (profile === none && text !== '') return text
  const name = text.replace(/^\(([^()]*)\)$/, '$1')
  if (/^((regular|standard|default)( licen[cs]e)?)?$/i.test(name)) return 'Regular'
  return /^extended( licen[cs]e)?$/i.test(name) ? 'Extended' : name
}

/** How a file calls the item of a row: by its id, or else by its name. */
export const itemText = (cell: (field: SaleField) => string, { notInItem }: Profile) =>
  cell('product_id') ||
  cell('item')
    .replace(notInItem ?? /^$/, '')
    .trim()

/** In any CSV the id of a product is ours; one in the export of a shop is of that shop. */
export const isOwnId = (profile: string, text: string) => profile === none.name && /^\d{1,15}$/.test(text)

/** Makes the function that turns rows into records of the import format. */
export function createSaleReader(options: SalesOptions, names: readonly string[]) {
  const { columns, values, codes, seed = '' } = options
  const items = new Map(Object.entries(options.items))
  const profile = findProfile(options.profile) ?? none
  const readTime = createTimeReader(isInUtc(profile, names) ? 'UTC' : options.time_zone, options.dates)
  const readUntil = createTimeReader(options.time_zone, options.dates)
  const unreadDate = options.dates === 'mdy' ? 'sale_date_mdy' : 'sale_date'
  let first: Row | undefined
  /** The place of the row in its order. */
  let place = 0
  let more = 0

  const own = ({ cells }: Row, field: SaleField) => cleanCell(cells[columns[field]])

  /** Whether the row is a later one of the order of the row before. */
  function continues(row: Row): boolean {
    const order = own(row, 'order')
    const isLater = !profile.oneRow && order !== '' && first !== undefined && order === own(first, 'order')
    place = isLater ? place + 1 : 0
    if (!isLater) first = row
    return isLater
  }

  function readState(cell: (field: SaleField) => string, price: string) {
    const flag = (field: SaleField, ifEmpty: boolean) =>
      cell(field) === '' ? ifEmpty : readFlag(cell(field))
    const word = columns.state >= 0 ? readSaleState(profile, cell('state')) : 'active'
    const refunded = columns.refunded >= 0 ? readFlag(cell('refunded')) : false
    const disputed = flag('disputed', false)
    const won = flag('dispute_won', false)
    // A sale without a code says nothing of it.
    const isEnabled = flag('enabled', true)
    const isNone = flag('no_sale', false)
    if (isNone) return { state: 'none' } as const
    const given = Number(toAmount(cell('refunded_amount') || '0'))
    const read: [SaleField, unknown][] = [
      ['state', word === 'stock' && cell('order') !== '' ? undefined : word],
      ['refunded', refunded],
      ['disputed', disputed],
      ['dispute_won', won],
      ['no_sale', isNone],
      ['enabled', isEnabled],
      ['refunded_amount', Number.isNaN(given) ? undefined : given],
    ]
    const unclear = read.filter(([, value]) => value === undefined).map(([field]) => field)
    if (unclear.length > 0) return { unclear } as const
    const isPart = Math.abs(given) > 0 && Math.abs(given) < Number(price)
    const isWhole = Math.abs(given) > 0 && !isPart
    if (word === 'none' || word === 'stock') return { state: 'none' } as const
    // A file whose flag says no more than that something was refunded says how much beside it.
    if (word === 'refunded' || (refunded && !isPart) || isWhole)
      return { state: 'refunded', isPart: false } as const
    if (word === 'revoked' || (disputed && !won) || !isEnabled)
      return { state: 'revoked', isPart: false } as const
    return { state: 'active', isPart: isPart || word === 'partial' } as const
  }

  function readDate(cell: (field: SaleField) => string): string | undefined {
    const time = cell('time')
    // Some exports repeat the day in the column of the time.
    return readTime(isTime(time) && time.length > 8 ? time : `${cell('date')} ${time}`.trim())
  }

  /** A torn row belongs to its order, too. */
  return function readSale(row: Row, isTorn: boolean): ReadRow & { isContinued: boolean } {
    const isLater = continues(row)
    const inherits = isLater && profile.lineItems === true
    // A made code is known again by the place of its row: an order is taken as a whole.
    const isContinued = inherits || (isLater && codes === 'make' && own(row, 'purchase_code') === '')
    if (isTorn) return { issues: [{ field: null, issue: 'sale_row' }], records: [undefined], isContinued }
    const cell = (field: SaleField) =>
      own(row, field) || (inherits && first && !ofRow.has(field) ? own(first, field) : '')
    return { ...read(cell), isContinued }
  }

  function read(cell: (field: SaleField) => string): ReadRow {
    const isRepeated = columns.repeated >= 0 && readFlag(cell('repeated')) === true
    if (isRepeated) return { skipped: 'repeated' }
    const issues: FieldIssue[] = []
    const price = toAmount(cell('price') || (columns.price < 0 ? (values.price ?? '') : ''))
    const state = readState(cell, price)
    if (state.state === 'none') return { skipped: 'no_sale' }
    issues.push(...(state.unclear ?? []).map((field) => ({ field, issue: 'sale_state' }) as const))
    const code = cell('purchase_code')
    if (code === '' && codes === 'skip') return { skipped: 'no_code' }
    if (code === '' && codes === undefined) issues.push({ field: 'purchase_code', issue: 'sale_code' })
    if (code === '' && codes === 'make' && cell('order') === '')
      issues.push({ field: 'order', issue: 'sale_order' })
    const text = itemText(cell, profile)
    const item =
      items.get(text) ??
      (isOwnId(profile.name, text) ? Number(text) : (items.get(cell('item') || text) ?? values.item))
    if (item === undefined) issues.push({ field: 'item', issue: 'sale_item' })
    const date = readDate(cell)
    if (date === undefined) issues.push({ field: 'date', issue: unreadDate })
    const until = cell('supported_until') && readUntil(cell('supported_until'))
    if (until === undefined) issues.push({ field: 'supported_until', issue: unreadDate })
    const quantity = Number(cell('quantity') || '1')
    const pieces = code === '' ? quantity : 1
    const isTooMany = quantity > maxQuantity || more + pieces - 1 > maxMore
    if (!Number.isInteger(quantity) || quantity < 1 || isTooMany)
      issues.push({ field: 'quantity', issue: 'sale_quantity' })
    const count = issues.length > 0 ? 1 : pieces
    more += count - 1

    const currency = (cell('currency') || values.currency || '').toUpperCase()
    const sale = {
      type: 'purchase',
      item: item ?? 1,
      license_type: readLicense(cell('license_type') || (values.license_type ?? ''), profile),
      currency,
      downloaded: false,
      date: date ?? '1970-01-01T00:00:00Z',
      ...(until && { supported_until: until }),
      // A stored sale that was refunded or revoked since stays so.
      ...(state.state && state.state !== 'active' && { state: state.state }),
      ...Object.fromEntries(customerFields.flatMap((field) => (cell(field) ? [[field, cell(field)]] : []))),
    }
    const prices = profile.lineItems ? Array(count).fill(price) : splitAmount(price, currency, count)
    const records = prices.map((each, piece) => ({
      ...sale,
      price: each,
      purchase_code: code || makeCode(seed, profile.name, cell('order'), place, piece),
    }))
    const hasOneCode = code !== '' && quantity > 1
    return { issues, records, isPartlyRefunded: state.isPart === true, hasOneCode }
  }
}
