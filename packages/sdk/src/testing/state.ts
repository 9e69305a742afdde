import { cleanPastedCode, type PurchaseState, parseTimestamp } from '@saleproof/schema'
import type {
  AccountRecord,
  ItemRecord,
  KeyRecord,
  MockRecord,
  PurchaseRecord,
  WorkspaceRecord,
} from './records.ts'

/** What a mock API knows, by identity; a record that is loaded again replaces the former. */
export function createState(records: readonly MockRecord[]) {
  const accounts = new Map<string, AccountRecord>()
  const workspaces = new Map<string, WorkspaceRecord>()
  const keys = new Map<string, KeyRecord>()
  const items = new Map<number, ItemRecord>()
  const purchases = new Map<string, PurchaseRecord>()

  const workspaceOf = (item: number) => {
    const found = items.get(item)
    if (!found) throw new TypeError(`the mock API has no item ${item}`)
    return found.workspace
  }
  const purchaseKey = (workspace: string, code: string) => `${workspace}\n${code}`

  function add(record: MockRecord) {
    if (record.type === 'account') accounts.set(record.username, record)
    else if (record.type === 'workspace') workspaces.set(record.slug, record)
    else if (record.type === 'api_key') keys.set(record.key, record)
    else if (record.type === 'item') items.set(record.id, record)
    else purchases.set(purchaseKey(workspaceOf(record.item), record.purchase_code), record)
  }

  function findPurchase(workspace: string, code: string) {
    const find = (text: string) => purchases.get(purchaseKey(workspace, text))
    return find(code) ?? find(cleanPastedCode(code))
  }

  for (const record of records) add(record)

  return {
    add,
    keys,
    item: (workspace: string, id: number) => {
      const item = items.get(id)
      return item?.workspace === workspace ? item : undefined
    },
    itemsOf: (workspace: string) =>
      [...items.values()]
        .filter((item) => item.workspace === workspace)
        .sort(
          (a, b) =>
            Number(parseTimestamp(b.published_at)) - Number(parseTimestamp(a.published_at)) || b.id - a.id,
        ),
    findPurchase,
    workspace: (slug: string) => workspaces.get(slug)!,
    account: (username: string) => accounts.get(username)!,
    setPurchaseState(code: string, state: PurchaseState) {
      const entries = [...purchases].filter(([, purchase]) => purchase.purchase_code === code)
      if (entries.length === 0) throw new TypeError('the mock API has no purchase of this code')
      for (const [key, purchase] of entries) purchases.set(key, { ...purchase, state })
    },
  }
}

export type State = ReturnType<typeof createState>
