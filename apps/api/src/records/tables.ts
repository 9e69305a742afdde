import { type AccountRecord, accountTable } from './account.ts'
import { type ApiKeyRecord, apiKeyTable } from './api-key.ts'
import { type ItemRecord, itemTable } from './item.ts'
import { type PurchaseRecord, purchaseTable } from './purchase.ts'
import { type WorkspaceRecord, workspaceTable } from './workspace.ts'

/** A checked record, by its `type` in an import. */
export interface Records {
  account: AccountRecord
  workspace: WorkspaceRecord
  item: ItemRecord
  api_key: ApiKeyRecord
  purchase: PurchaseRecord
}

export type RecordType = keyof Records

/** The table of each type of record. What a record refers to comes before it. */
export const recordTables = {
  account: accountTable,
  workspace: workspaceTable,
  item: itemTable,
  api_key: apiKeyTable,
  purchase: purchaseTable,
} as const satisfies Record<RecordType, unknown>

export const recordTypes: readonly RecordType[] = ['account', 'workspace', 'item', 'api_key', 'purchase']

/** A value for each type of record, in their order. */
export const byType = <Value>(make: (type: RecordType) => Value): Record<RecordType, Value> => ({
  account: make('account'),
  workspace: make('workspace'),
  item: make('item'),
  api_key: make('api_key'),
  purchase: make('purchase'),
})
