import type { ImportedRecord } from '../../api/records.ts'
import type { Row } from './read-file.ts'

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

export type SaleField = (typeof saleFields)[number]

/** Those that every sale needs; the others have a default. */
export const requiredFields: ReadonlySet<SaleField> = new Set([
  'purchase_code',
  'item',
  'price',
  'currency',
  'date',
])

/** The column of each field, by its index; -1 for none. */
export type Mapping = Readonly<Record<SaleField, number>>

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

/** The columns that look like the fields by their names. */
export const guessMapping = (columns: readonly string[]): Mapping =>
  Object.fromEntries(
    saleFields.map((field) => [field, columns.findIndex((column) => names[field].test(column.trim()))]),
    // Every field has an entry.
  ) as Mapping

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

/** `1.234,50` and `1,234.50` are the same amount; signs of currencies and spaces say nothing. */
export function toAmount(text: string): string {
  const digits = text.replace(/[^\d.,-]/g, '')
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  const without = (part: string) => part.replace(/[.,]/g, '')
  // A mark that comes twice groups thousands.
  if (last === undefined || marks.filter((mark) => mark === last).length > 1) return without(digits)
  const at = digits.lastIndexOf(last)
  return `${without(digits.slice(0, at))}.${digits.slice(at + 1)}`
}

/** A day alone is its midnight in UTC; a space may stand for the T of ISO 8601. */
export function toTimestamp(text: string): string {
  const iso = text.trim().replace(/^(\d{4}-\d{2}-\d{2})[ T]/, '$1T')
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return `${iso}T00:00:00Z`
  return /T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(iso) ? `${iso}Z` : iso
}

/** A row of the table as a sale in the import format. */
export function toSale({ cells }: Row, mapping: Mapping, defaultItem: string): ImportedRecord {
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
