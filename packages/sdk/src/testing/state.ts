import { cleanPastedCode, type PurchaseState, purchaseStates } from '@saleproof/schema/constants'
import type {
  AccountRecord,
  ItemRecord,
  KeyRecord,
  MockRecord,
  PurchaseRecord,
  WorkspaceRecord,
} from './records.ts'

/** The records of a mock API, by identity; a record that is loaded again replaces the former one. */
export function createState(records: readonly MockRecord[]) {
  const accounts = new Map<string, AccountRecord>()
  const workspaces = new Map<string, WorkspaceRecord>()
  const keys = new Map<string, KeyRecord>()
  const items = new Map<number, ItemRecord>()
  const purchases = new Map<string, PurchaseRecord>()

  function get<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, what: string): Value {
    const found = map.get(key)
    if (!found) throw new TypeError(`the mock API has no ${what} ${key}`)
    return found
  }
  const findItem = (id: number) => get(items, id, 'item')
  const purchaseKey = (workspace: string, code: string) => `${workspace}\n${code}`

  function add(record: MockRecord) {
    if (record.type === 'account') accounts.set(record.username, record)
    else if (record.type === 'workspace') workspaces.set(record.slug, record)
    else if (record.type === 'api_key') keys.set(record.key, record)
    else if (record.type === 'item') items.set(record.id, record)
    else {
      const purchase_code = cleanPastedCode(record.purchase_code)
      purchases.set(purchaseKey(findItem(record.item).workspace, purchase_code), { ...record, purchase_code })
    }
  }

  for (const record of records) add(record)

  return {
    add,
    keys,
    account: (username: string) => get(accounts, username, 'account'),
    workspace: (slug: string) => get(workspaces, slug, 'workspace'),
    /** An item that is not withdrawn. */
    item(id: number) {
      const item = items.get(id)
      return item?.withdrawn_at ? undefined : item
    },
    /** The items of a workspace that are not withdrawn, newest first. */
    itemsOf: (workspace: string) =>
      [...items.values()]
        .filter((item) => item.workspace === workspace && !item.withdrawn_at)
        .sort((a, b) => Date.parse(b.published_at) - Date.parse(a.published_at) || b.id - a.id),
    /** A purchase by its code, and its item. */
    purchase(workspace: string, code: string) {
      const purchase = purchases.get(purchaseKey(workspace, code))
      return purchase && { purchase, item: findItem(purchase.item) }
    },
    setPurchaseState(code: string, state: PurchaseState) {
      if (!purchaseStates.includes(state))
        throw new TypeError(`no such state; use ${purchaseStates.join(', ')}`)
      const entries = [...purchases].filter(
        ([, purchase]) => purchase.purchase_code === cleanPastedCode(code),
      )
      if (entries.length === 0) throw new TypeError('the mock API has no purchase with this code')
      for (const [key, purchase] of entries) purchases.set(key, { ...purchase, state })
    },
  }
}

export type State = ReturnType<typeof createState>
