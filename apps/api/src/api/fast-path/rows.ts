import { accountTable } from '../../records/account.ts'
import { itemTable } from '../../records/item.ts'
import { createSerializer, type ShownField, type StoredRow, shownFields } from '../../records/json.ts'
import { purchaseTable } from '../../records/purchase.ts'
import type { RecordTable } from '../../records/table.ts'

// Rows are as the drivers give them: lists and maps as JSON, timestamps in milliseconds since 1970, booleans as 0 and 1.

export interface ItemRow extends StoredRow {
  publishedAt: number
  support: number
  withdrawnAt: number | null
}

export interface PurchaseRow extends StoredRow {
  code: string
  itemId: number
  licenseType: string
  supportedUntil: number | null
  state: 'active' | 'refunded' | 'revoked'
}

/** A field with the column that is read. */
export type ReadField = Pick<ShownField, 'field' | 'column'>

const storedFields = ({ fields }: RecordTable): readonly ReadField[] =>
  fields.flatMap((field) => (field.column === undefined ? [] : [{ field, column: field.column }]))

const accountFields = shownFields(accountTable, 'base')
const summaryFields = shownFields(itemTable, 'summary')

/** What the fast path reads of each row. The first column of each is never NULL. */
export const readFields = {
  account: accountFields,
  item: storedFields(itemTable),
  // Not shown, but a pass depends on it.
  itemSummary: [...summaryFields, ...storedFields(itemTable).filter(({ column }) => column === 'support')],
  purchase: storedFields(purchaseTable),
}

export const accountJson = createSerializer(accountFields)

/** An item in each shape, and inside a purchase. */
export const itemJson = {
  base: createSerializer(shownFields(itemTable, 'base')),
  extended: createSerializer(shownFields(itemTable, 'extended')),
  summary: createSerializer(summaryFields),
}

/** A purchase around the JSON of its item. */
export const purchaseJson = {
  base: createSerializer(shownFields(purchaseTable, 'base')),
  extended: createSerializer(shownFields(purchaseTable, 'extended')),
}

/** What stands around the items of a list, between which there are commas. */
export const listHead = '{"status":"success","items":['
export const listTail = ']}'
