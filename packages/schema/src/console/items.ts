import * as v from 'valibot'
import { type ItemKind, itemKinds } from '../constants.ts'
import { TextSchema } from '../primitives.ts'
import type { ItemBase, ItemExtended } from '../records/item.ts'
import { itemSorts } from './constants.ts'
import { type CappedCount, CursorSchema } from './members.ts'

/** An item in a list. */
export interface ConsoleItem {
  id: number
  kind: ItemKind
  name: string
  category: string
  sub_category: string
  version: string
  /** An absolute http(s) URL, or `""`. */
  thumbnail: string
  preview_image: string
  price: { regular: number; extended: number }
  currency: string
  /** The item's page. */
  url: string
  /** Whether it comes with support. */
  support: boolean
  published_at: string
}

/** A category, and how many items of the workspace are in it. */
export interface ConsoleCategory {
  category: string
  items: number
}

/** `GET workspaces/:slug/items`. */
export interface ConsoleItems {
  items: ConsoleItem[]
  /** Every category of the workspace, whatever was asked for, by name. */
  categories: ConsoleCategory[]
  /** How many items fit what was asked for, on all pages. */
  total: number
  next_cursor: string | null
}

/** `GET workspaces/:slug/items/:id`. */
export interface ConsoleItemDetail {
  item: ConsoleItem
  /** Whatever the kind of the item is; `null` where there is none. */
  preview_video: string | null
  preview_audio: string | null
  screenshots: string[]
  /** What the API answers. */
  base: ItemBase
  extended: ItemExtended
  purchases: CappedCount
}

/** A number of rows on a page, as text in a query: 1 to 100. */
export const LimitTextSchema = v.pipe(
  v.string('limit'),
  v.regex(/^(?:[1-9]\d?|100)$/, 'limit'),
  v.transform(Number),
)

/** The query of `GET workspaces/:slug/items`. */
export const ListItemsSchema = v.strictObject({
  /** Part of the name, the category or a tag in any case, or the id. */
  search: v.exactOptional(v.pipe(TextSchema, v.trim(), v.maxLength(100, 'too_long'))),
  category: v.exactOptional(TextSchema),
  kind: v.exactOptional(v.picklist(itemKinds, 'item_kind')),
  /** `-published_at` without. */
  sort: v.exactOptional(v.picklist(itemSorts, 'sort')),
  cursor: v.exactOptional(CursorSchema),
  /** 50 without. */
  limit: v.exactOptional(LimitTextSchema),
})
