import * as v from 'valibot'
import { locales, type PurchaseState } from '../constants.ts'
import { TextSchema } from '../primitives.ts'
import { type SaleField, saleFields } from '../sales-file/sale-fields.ts'
import { body, defineEndpoint } from './define-endpoint.ts'
import type { ImportCount } from './import.ts'
import { isTimeZone } from './request-fields.ts'
import type { DecimalAmount } from './sales.ts'

/** The index of a column; -1 for none. */
const ColumnSchema = v.pipe(v.number('type'), v.integer('type'), v.minValue(-1, 'type'))

const ColumnsSchema = v.strictObject(
  Object.fromEntries(saleFields.map((field) => [field, ColumnSchema])) as Record<
    SaleField,
    typeof ColumnSchema
  >,
)

const ItemIdSchema = v.pipe(v.number('item_id'), v.safeInteger('item_id'), v.minValue(1, 'item_id'))
const WordSchema = v.pipe(TextSchema, v.maxLength(200, 'too_long'))

/** How to look at a sales file. By itself it is recognised, and its columns are guessed. */
export const SalesPreviewSchema = v.strictObject({
  profile: v.exactOptional(WordSchema),
  columns: v.exactOptional(ColumnsSchema),
})

/** How a sales file is to be read. */
export const SalesChoicesSchema = v.strictObject({
  /** The name of the file, for the activity log. */
  file: WordSchema,
  profile: WordSchema,
  columns: ColumnsSchema,
  /** For every row that has none. */
  values: v.strictObject({
    item: v.exactOptional(ItemIdSchema),
    license_type: v.exactOptional(WordSchema),
    price: v.exactOptional(WordSchema),
    currency: v.exactOptional(WordSchema),
  }),
  /** The items, by what the file calls them. */
  items: v.record(TextSchema, ItemIdSchema, 'map'),
  /** The names of items that are created with their sales, by what the file calls them. */
  new_items: v.record(
    TextSchema,
    v.pipe(TextSchema, v.nonEmpty('not_empty'), v.maxLength(200, 'too_long')),
    'map',
  ),
  /** How days are written that begin with a number of one or two digits. */
  dates: v.picklist(['dmy', 'mdy'], 'type'),
  /** The time zone of the seller: a day alone begins at its midnight. */
  time_zone: v.pipe(WordSchema, v.check(isTimeZone, 'timezone')),
  /** What happens to rows without a code; without an answer they are problems. */
  codes: v.exactOptional(v.picklist(['make', 'skip'], 'type')),
  /** Whether the other rows are stored where some have problems. */
  skip_invalid: v.boolean('type'),
  dry_run: v.boolean('type'),
  /** The language of the problems. */
  locale: v.exactOptional(v.picklist(locales, 'locale')),
})

/** How to look at a sales file. */
export type SalesPreviewRequest = v.InferInput<typeof SalesPreviewSchema>

/** How a sales file is to be read. */
export type SalesChoices = v.InferInput<typeof SalesChoicesSchema>

/** An item of a sales file. */
export interface SalesFileItem {
  /** What the file calls it, by which it is matched; `''` where a row says nothing of it. */
  text: string
  name: string
  /** How many rows it has. */
  count: number
  /** The item of the workspace; `null` where none is like it. */
  item: { id: number; name: string } | null
}

/** How a sales file would be read, and what has to be asked. */
export interface SalesPreview {
  profile: string
  title: string
  /** Every profile that there is. */
  profiles: { name: string; title: string }[]
  /** The columns of the file, and some values of each. */
  names: string[]
  samples: string[][]
  columns: SalesChoices['columns']
  items: SalesFileItem[]
  /** Whether there are more items than those. */
  more_items: boolean
  /** The order of day and month, where the dates say it; `null` where they have none, or do not say which. */
  dates: SalesChoices['dates'] | null
  dates_unclear: boolean
  /** Whether its times are those of the seller. */
  needs_time_zone: boolean
  rows: number
  /** How many rows have none. */
  without: { purchase_code: number; currency: number; license_type: number }
}

/** Why a row of a sales file is no sale. */
export type SkipReason = 'blank' | 'header' | 'total' | 'no_sale' | 'repeated' | 'no_code' | 'given_twice'

/** A problem that rows of a sales file have. */
export interface SalesProblem {
  field: string | null
  message: string
  /** The lines on which the rows begin. */
  lines: number[]
  /** What one of the rows has there, unless that is secret. */
  value?: string
  /** The line with the same code, for each of those lines. */
  others?: number[]
}

/** What became of the rows of a sales file: with `more` for their quantities, each is new, changed, unchanged, skipped or rejected. */
export interface SalesOutcome {
  rows: number
  more: number
  skipped: Record<SkipReason, number>
  rejected: number
  /** Rows of sales without a problem. */
  good: number
  /** Sales of which a part was refunded. */
  partial: number
  /** Rows with a code for several pieces: one sale each. */
  one_code: number
  /** Sales that the file calls active, and that stay refunded or revoked: that they are was stored after the file was made. */
  kept: number
  sums: { currency: string; state: PurchaseState; sales: number; amount: DecimalAmount }[]
  problems: SalesProblem[]
  /** What takes the rejected rows out of the file: the line of its header, and how many lines a row has that has more than one. */
  header: number
  lengths: [line: number, lines: number][]
}

/** What the import of a sales file did, or would do. */
export interface SalesImport {
  stored: boolean
  counts: { items: ImportCount; purchases: ImportCount }
  /** How many codes are so short that they can be guessed. */
  warnings: number
  outcome: SalesOutcome
}

export const salesFileEndpoints = {
  /** Looks at a sales file of at most 16 MiB. */
  previewSales: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/sales-preview',
    file: body<SalesPreviewRequest>(),
    response: body<SalesPreview>(),
  }),
  /** Imports a sales file of at most 16 MiB. */
  importSales: defineEndpoint({
    method: 'POST',
    path: '/workspaces/:slug/sales',
    file: body<SalesChoices>(),
    response: body<SalesImport>(),
    activity: ['import'],
  }),
}
