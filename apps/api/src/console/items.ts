import { formatMoney, formatTimestamp, ItemIdParameterSchema } from '@saleproof/schema'
import type { ConsoleCategory, ConsoleItem, ItemSort } from '@saleproof/schema/console'
import * as v from 'valibot'
import { presentItem as presentForApi, presentItemRecord } from '../api/presenters.ts'
import { fold } from '../db/fold.ts'
import type { ItemModel } from '../db/prisma.ts'
import { createItemWithdrawal } from '../domain/item-withdrawal.ts'
import { createRecordEdits } from '../domain/record-edit.ts'
import { cappedCount } from './capped-count.ts'
import { ConsoleError } from './console-error.ts'
import { decodeCursor, encodeCursor, type SortValue } from './cursor.ts'
import type { Call, ConsoleOptions, Handlers } from './handler.ts'
import { presentEdit } from './present-edit.ts'
import { join, raw, type Sql, select, sql } from './sql.ts'

const defaultLimit = 50

const presentItem = (row: ItemModel): ConsoleItem => ({
  id: Number(row.id),
  kind: row.kind,
  name: row.name,
  category: row.category,
  sub_category: row.subCategory,
  version: row.version,
  price: {
    regular: formatMoney(row.priceRegular, row.currency),
    extended: formatMoney(row.priceExtended, row.currency),
  },
  currency: row.currency,
  published_at: formatTimestamp(row.publishedAt),
  withdrawn_at: row.withdrawnAt && formatTimestamp(row.withdrawnAt),
})

/** Most texts are ASCII, and folding those is many times as fast without `fold`. */
const folded = (text: string) =>
  `CASE WHEN octet_length(${text}) = length(${text}) THEN lower(${text}) ELSE fold(${text}) END`

/** The texts of an item, one on each line. In PostgreSQL it has the collation of the name. */
const searchedText = `("name" || '\n' || "category" || '\n' || CAST("tags" AS TEXT) || '\n' || CAST("id" AS TEXT))`

const likePattern = (part: string) => `%${fold(part).replace(/[\\%_]/g, '\\$&')}%`

/** The SQL expression of each sort order, before the id. */
const orders: Record<ItemSort, { by: string; type: 'date' | 'text' | 'number'; descending: boolean }> = {
  published_at: { by: '"publishedAt"', type: 'date', descending: false },
  '-published_at': { by: '"publishedAt"', type: 'date', descending: true },
  name: { by: folded('"name"'), type: 'text', descending: false },
  '-name': { by: folded('"name"'), type: 'text', descending: true },
  id: { by: '"id"', type: 'number', descending: false },
  '-id': { by: '"id"', type: 'number', descending: true },
}

/** Dates are numbers in SQLite. */
const sortValues = {
  date: (value: SortValue) => new Date(value),
  text: String,
  number: Number,
}

type ListRequest = Call<'listItems'>['request']

function listConditions(workspaceId: number, { search, category, kind, state }: ListRequest): Sql[] {
  const conditions = [sql`"workspaceId" = ${workspaceId}`]
  if (category !== undefined) conditions.push(sql`"category" = ${category}`)
  // One of a fixed list: as a parameter, PostgreSQL would not convert it to its enum.
  if (kind !== undefined) conditions.push(raw(`"kind" = '${kind}'`))
  if (state !== undefined) conditions.push(raw(`"withdrawnAt" IS ${state === 'listed' ? '' : 'NOT '}NULL`))
  if (search) conditions.push(sql`${raw(folded(searchedText))} LIKE ${likePattern(search)} ESCAPE '\\'`)
  return conditions
}

const itemsWith = (conditions: readonly Sql[]) => sql`FROM "Item" WHERE ${join(conditions, ' AND ')}`

export function createItemHandlers({ database: { prisma, read, transact }, clock }: ConsoleOptions) {
  async function findItem(workspaceId: number, text: string): Promise<ItemModel> {
    const id = v.safeParse(ItemIdParameterSchema, text)
    const where = id.success && { workspaceId_id: { workspaceId, id: BigInt(id.output) } }
    const row = where ? await prisma.item.findUnique({ where }) : null
    if (!row) throw new ConsoleError('not_found')
    return row
  }

  async function count(workspaceId: number, request: ListRequest): Promise<number> {
    const matching = itemsWith(listConditions(workspaceId, request))
    const [row] = await select<{ items: number }>(read, sql`SELECT count(*) AS "items" ${matching}`)
    return Number(row?.items)
  }

  async function findPage(workspaceId: number, request: ListRequest) {
    const { sort = '-published_at', limit = defaultLimit, cursor } = request
    const { type, descending } = orders[sort]
    const by = raw(orders[sort].by)
    const conditions = listConditions(workspaceId, request)
    if (cursor !== undefined) {
      const [value, id] = decodeCursor(cursor, { value: type, id: 'number' })
      conditions.push(sql`(${by}, "id") ${raw(descending ? '<' : '>')} (${value}, ${id})`)
    }
    const direction = raw(descending ? 'DESC' : 'ASC')
    // A search reads every item, once for the page and the total.
    const isCounted = cursor === undefined && Boolean(request.search)
    const total = raw(isCounted ? 'count(*) OVER ()' : 'NULL')
    const rows = await select<{ id: number; value: SortValue; total: number | null }>(
      read,
      sql`SELECT "id", ${by} AS "value", ${total} AS "total" ${itemsWith(conditions)}
        ORDER BY ${by} ${direction}, "id" ${direction} LIMIT ${raw(limit + 1)}`,
    )
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return {
      ids: shown.map(({ id }) => BigInt(id)),
      total: isCounted ? Number(rows[0]?.total ?? 0) : await count(workspaceId, request),
      next: last ? encodeCursor(sortValues[type](last.value), Number(last.id)) : null,
    }
  }

  async function findCategories(workspaceId: number): Promise<ConsoleCategory[]> {
    const rows = await read<{ category: string; items: number }>(
      `SELECT "category", count(*) AS "items" FROM "Item" WHERE "workspaceId" = $1 GROUP BY "category" ORDER BY fold("category")`,
      workspaceId,
    )
    return rows.map(({ category, items }) => ({ category, items: Number(items) }))
  }

  return {
    async listItems({ workspace, request }) {
      const [{ ids, total, next }, categories] = await Promise.all([
        findPage(workspace.id, request),
        request.cursor === undefined ? findCategories(workspace.id) : null,
      ])
      const rows = await prisma.item.findMany({ where: { workspaceId: workspace.id, id: { in: ids } } })
      const byId = new Map(rows.map((row) => [row.id, row]))
      const items = ids.flatMap((id) => byId.get(id) ?? []).map(presentItem)
      return { items, categories, total, next_cursor: next }
    },

    async getItem({ workspace, parameters }) {
      const row = await findItem(workspace.id, parameters.id)
      return {
        item: presentItem(row),
        record: presentItemRecord(row),
        base: presentForApi.base(row),
        extended: presentForApi.extended(row),
        purchases: await cappedCount(
          read,
          sql`SELECT 1 FROM "Purchase" WHERE "workspaceId" = ${workspace.id} AND "itemId" = ${Number(row.id)}`,
        ),
      }
    },

    async withdrawItem({ record, workspace, parameters }) {
      const item = await findItem(workspace.id, parameters.id)
      const setWithdrawn = createItemWithdrawal({ transact, clock, record })
      return presentItem((await setWithdrawn(workspace.id, item.id, true)) ?? item)
    },

    async restoreItem({ record, workspace, parameters }) {
      const item = await findItem(workspace.id, parameters.id)
      const setWithdrawn = createItemWithdrawal({ transact, clock, record })
      return presentItem((await setWithdrawn(workspace.id, item.id, false)) ?? item)
    },

    async editItem({ record, workspace, parameters, request: { locale, ...edit } }) {
      const { id } = await findItem(workspace.id, parameters.id)
      return presentEdit(await createRecordEdits({ transact, record }).item(workspace, id, edit), locale)
    },
  } satisfies Partial<Handlers>
}
