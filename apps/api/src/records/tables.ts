import { accountTable } from './account.ts'
import { apiKeyTable } from './api-key.ts'
import { itemTable } from './item.ts'
import { purchaseTable } from './purchase.ts'
import { workspaceTable } from './workspace.ts'

/** The table of each type of record. What a record refers to comes before it. */
export const recordTables = {
  account: accountTable,
  workspace: workspaceTable,
  item: itemTable,
  api_key: apiKeyTable,
  purchase: purchaseTable,
}

export type RecordType = keyof typeof recordTables

/** A checked record, by its `type` in an import. */
export type Records = { [Type in RecordType]: Parameters<(typeof recordTables)[Type]['check']>[0] }

// The table has these names and no others.
export const recordTypes = Object.keys(recordTables) as readonly RecordType[]

/** A value for each type of record, in their order. */
export const byType = <Value>(make: (type: RecordType) => Value) =>
  Object.fromEntries(recordTypes.map((type) => [type, make(type)])) as Record<RecordType, Value>
