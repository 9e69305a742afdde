import * as v from 'valibot'
import { type ItemKind, itemKinds } from '../constants.ts'
import { TextSchema } from '../primitives.ts'
import type { ItemBase, ItemExtended, ItemRecord } from '../records/item.ts'
import { itemSorts, itemStates } from './constants.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import { type ConsoleEdit, editFields } from './edits.ts'
import { type CappedCount, CursorSchema, LimitTextSchema } from './request-fields.ts'

/** An item in a list. */
export interface ConsoleItem {
  id: number
  kind: ItemKind
  name: string
  category: string
  sub_category: string
  version: string
  price: { regular: number; extended: number }
  currency: string
  published_at: string
  /** When it was withdrawn: the API's item operations leave it out. `null` while it is listed. */
  withdrawn_at: string | null
}

/** A category, and how many items of the workspace are in it. */
export interface ConsoleCategory {
  category: string
  items: number
}

/** A page of items. */
export interface ConsoleItems {
  items: ConsoleItem[]
  /** Every category of the workspace, whatever the filters, by name. Only the first page has them; `null` on later pages. */
  categories: ConsoleCategory[] | null
  /** The number of items that match the filters, on all pages. */
  total: number
  next_cursor: string | null
}

/** An item with all that is known of it. */
export interface ConsoleItemDetail {
  item: ConsoleItem
  /** As an import takes it. */
  record: Omit<ItemRecord, 'type' | 'workspace'>
  /** The item as the API shows it, in both shapes. */
  base: ItemBase
  extended: ItemExtended
  purchases: CappedCount
}

export const itemEndpoints = {
  listItems: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/items',
    queued: true,
    request: {
      /** The id, or part of the name, the category or a tag in any letter case. */
      search: v.exactOptional(v.pipe(TextSchema, v.trim(), v.maxLength(100, 'too_long'))),
      category: v.exactOptional(TextSchema),
      kind: v.exactOptional(v.picklist(itemKinds, 'item_kind')),
      /** Both by default. */
      state: v.exactOptional(v.picklist(itemStates, 'item_state')),
      /** `-published_at` by default. */
      sort: v.exactOptional(v.picklist(itemSorts, 'sort')),
      cursor: v.exactOptional(CursorSchema),
      /** 50 by default. */
      limit: v.exactOptional(LimitTextSchema),
    },
    response: body<ConsoleItems>(),
  }),
  getItem: defineEndpoint({
    method: 'GET',
    path: '/workspaces/:slug/items/:id',
    queued: true,
    response: body<ConsoleItemDetail>(),
  }),
  withdrawItem: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/items/:id/withdraw',
    response: body<ConsoleItem>(),
    activity: ['item.withdrawn'],
  }),
  restoreItem: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/items/:id/restore',
    response: body<ConsoleItem>(),
    activity: ['item.restored'],
  }),
  editItem: defineEndpoint({
    method: 'PATCH',
    path: '/workspaces/:slug/items/:id',
    request: editFields,
    response: body<ConsoleEdit>(),
    activity: ['item.edited'],
  }),
}
