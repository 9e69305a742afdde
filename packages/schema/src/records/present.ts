import type { Shape } from '../constants.ts'
import { formatTimestamp } from '../timestamps.ts'
import { type Account, type AccountRecord, accountFields } from './account.ts'
import { type Field, present } from './fields.ts'
import { type Item, type ItemExtended, type ItemRecord, type ItemSummary, itemFields } from './item.ts'
import { type Purchase, type PurchaseRecord, purchaseFields } from './purchase.ts'

// How the API shows records of the import format. The OpenAPI examples and the mock API of the SDK are made with it; the service
// presents its rows by the same tables. Records are believed: an import checks them.

/** Throws where a text is no time. */
const timestamp = (text: unknown) => formatTimestamp(new Date(String(text)))

/** Gives the value of a field of a record as a response writes it. */
const readRecord =
  (record: object) =>
  (field: Field, path: string): unknown => {
    const value = path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), record)
    if (value === undefined || value === null) return value
    if (field.type === 'amount' || field.type === 'price') return Number(value)
    return field.type === 'timestamp' ? timestamp(value) : structuredClone(value)
  }

/** An account as the API shows it. */
export const presentAccount = (account: AccountRecord): Account =>
  present(accountFields, 'base', readRecord(account))

/** An item as the API shows it. */
export const presentItem = (item: ItemRecord, shape: Shape): Item =>
  present(itemFields, shape, readRecord(item), item)

/** A purchase of an item as the API shows it. */
export function presentPurchase(purchase: PurchaseRecord, item: ItemRecord, shape: Shape): Purchase {
  const shown = present(itemFields, shape === 'base' ? 'summary' : shape, readRecord(item), item)
  const readField = readRecord(purchase)
  const read = (field: Field, path: string) => (field.type === 'item' ? shown : readField(field, path))
  return shape === 'base'
    ? present<typeof purchaseFields, 'base', ItemSummary>(purchaseFields, 'base', read, item)
    : present<typeof purchaseFields, 'extended', ItemExtended>(purchaseFields, 'extended', read, item)
}
