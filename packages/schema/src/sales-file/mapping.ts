import type { SalesRow } from './table.ts'

/** The fields of a sale that a column of a file can hold. */
export const saleFields = [
  'purchase_code',
  'item',
  'license_type',
  'price',
  'currency',
  'date',
  'supported_until',
  'state',
] as const

/** The field of a sale. */
export type SaleField = (typeof saleFields)[number]

/** Those that every sale needs; the others have a default. */
export const requiredSaleFields: ReadonlySet<SaleField> = new Set([
  'purchase_code',
  'item',
  'price',
  'currency',
  'date',
])

/** The column of each field, by its index; -1 for none. */
export type SaleMapping = Readonly<Record<SaleField, number>>

/** What columns are called in exports of shops and payment services. */
const names: Readonly<Record<SaleField, RegExp>> = {
  purchase_code: /^(purchase.?code|licen[cs]e.?(key|code)|code|key|serial|c[óo]digo.*)$/i,
  item: /^(item|item.?id|product|product.?id|sku|produto|id do item)$/i,
  license_type: /^(licen[cs]e|licen[cs]e.?type|type|variant|licen[çc]a)$/i,
  price: /^(price|amount|total|paid|gross|pre[çc]o|valor)$/i,
  currency: /^(currency|moeda)$/i,
  date: /^(date|sold.?at|created|created.?at|purchase.?date|order.?date|data)$/i,
  supported_until: /^(support(ed)?.?until|support.?end|suporte.*)$/i,
  state: /^(state|status|estado|situa[çc][ãa]o)$/i,
}

/**
 * The columns that look like the fields by their names, as shops and payment services write them in English and Portuguese.
 *
 * @example
 * guessMapping(['License Key', 'Amount']).purchase_code // 0
 */
export const guessMapping = (columns: readonly string[]): SaleMapping =>
  Object.fromEntries(
    saleFields.map((field) => [field, columns.findIndex((column) => names[field].test(column.trim()))]),
    // Every field has an entry.
  ) as SaleMapping

const states: Readonly<Record<string, string>> = {
  paid: 'active',
  complete: 'active',
  completed: 'active',
  ativa: 'active',
  refund: 'refunded',
  reembolsada: 'refunded',
  chargeback: 'revoked',
  disputed: 'revoked',
  revogada: 'revoked',
}

/**
 * An amount as a decimal number: `1.234,50` and `1,234.50` are the same; signs of currencies and spaces say nothing. Text without a digit
 * stays as it is.
 *
 * @example
 * toAmount('R$ 1.234,50') // '1234.50'
 */
export function toAmount(text: string): string {
  if (!/\d/.test(text)) return text.trim()
  const digits = text.replace(/[^\d.,-]/g, '')
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  const without = (part: string) => part.replace(/[.,]/g, '')
  // A mark that comes twice groups thousands.
  if (last === undefined || marks.filter((mark) => mark === last).length > 1) return without(digits)
  const at = digits.lastIndexOf(last)
  return `${without(digits.slice(0, at))}.${digits.slice(at + 1)}`
}

/**
 * A time in ISO 8601: a day alone is its midnight in UTC, a space may stand for the T, and without an offset it is UTC.
 *
 * @example
 * toTimestamp('2026-02-01 10:20:30') // '2026-02-01T10:20:30Z'
 */
export function toTimestamp(text: string): string {
  const iso = text.trim().replace(/^(\d{4}-\d{2}-\d{2})[ T]/, '$1T')
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return `${iso}T00:00:00Z`
  return /T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(iso) ? `${iso}Z` : iso
}

/** A sale in the import format, before it is checked: any of its fields may be wrong. */
// A type and not an interface: it is sent as an object of any fields.
export type SaleRecord = {
  type: 'purchase'
  item: number | string
  purchase_code: string
  license_type: string
  price: string
  currency: string
  downloaded: boolean
  date: string
  supported_until?: string
  state?: string
}

/**
 * Whether each required field has a column, or for the item a default.
 *
 * @example
 * isMapped(guessMapping(['code', 'price', 'currency', 'date']), '101') // true
 */
export const isMapped = (mapping: SaleMapping, defaultItem: string): boolean =>
  [...requiredSaleFields].every((field) => mapping[field] >= 0 || (field === 'item' && defaultItem !== ''))

/**
 * A row of a table as a sale in the import format. `defaultItem` is the id of the item where no column names it.
 *
 * @example
 * toSale(table.rows[0], guessMapping(table.columns), '101')
 */
export function toSale({ cells }: SalesRow, mapping: SaleMapping, defaultItem: string): SaleRecord {
  const cell = (field: SaleField) => (mapping[field] < 0 ? '' : (cells[mapping[field]] ?? ''))
  const item = cell('item') || defaultItem
  const license = cell('license_type')
  const state = cell('state').toLowerCase()
  const supportedUntil = cell('supported_until')
  return {
    type: 'purchase',
    item: /^\d+$/.test(item) ? Number(item) : item,
    purchase_code: cell('purchase_code'),
    license_type: /^(regular|standard)?$/i.test(license)
      ? 'Regular'
      : /^extended$/i.test(license)
        ? 'Extended'
        : license,
    price: toAmount(cell('price')),
    currency: cell('currency').toUpperCase(),
    downloaded: false,
    date: toTimestamp(cell('date')),
    ...(supportedUntil && { supported_until: toTimestamp(supportedUntil) }),
    ...(state && { state: states[state] ?? state }),
  }
}
