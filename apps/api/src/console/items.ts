import { formatMoney, formatTimestamp, ItemIdParameterSchema } from '@saleproof/schema'
import type { ConsoleCategory, ConsoleItem, ConsoleItems, ItemSort } from '@saleproof/schema/console'
import * as v from 'valibot'
import { presentBaseItem, presentExtendedItem } from '../api/presenters/item.ts'
import type { ItemModel, Prisma } from '../db/sqlite/prisma.ts'
import type { QueryParameter, Read } from '../db/sqlite/reader.ts'
import { cappedCount } from './capped-count.ts'
import { ConsoleFailure } from './console-error.ts'
import { cursorOf, type Place, readCursor } from './cursor.ts'
import type { Call, Handlers } from './handler.ts'

const defaultLimit = 50

export const presentListed = (row: ItemModel): ConsoleItem => ({
  id: Number(row.id),
  kind: row.kind,
  name: row.name,
  category: row.category,
  sub_category: row.subCategory,
  version: row.version,
  thumbnail: row.thumbnail,
  preview_image: row.previewImage,
  price: {
    regular: formatMoney(row.priceRegular, row.currency),
    extended: formatMoney(row.priceExtended, row.currency),
  },
  currency: row.currency,
  url: row.url,
  support: row.support,
  published_at: formatTimestamp(row.publishedAt),
})

/** The expression of each order, beside the id. */
const orders: Record<ItemSort, { by: string; place: 'moment' | 'text' | 'number'; descending: boolean }> = {
  published_at: { by: '"publishedAt"', place: 'moment', descending: false },
  '-published_at': { by: '"publishedAt"', place: 'moment', descending: true },
  name: { by: 'fold("name")', place: 'text', descending: false },
  '-name': { by: 'fold("name")', place: 'text', descending: true },
  id: { by: '"id"', place: 'number', descending: false },
  '-id': { by: '"id"', place: 'number', descending: true },
}

/** What is read, of which a moment is text in one database and none in the other. */
const placesOf = {
  moment: (read: Place) => new Date(read),
  text: String,
  number: Number,
}

type Request = Call<'listItems'>['request']

/** The conditions of a list, with what they are given. */
function conditionsOf(workspaceId: string, { search, category, kind }: Request) {
  const parameters: QueryParameter[] = [workspaceId]
  const conditions = ['"workspaceId" = $1']
  const add = (condition: (name: string) => string, value: QueryParameter) => {
    parameters.push(value)
    conditions.push(condition(`$${parameters.length}`))
  }
  if (category !== undefined) add((name) => `"category" = ${name}`, category)
  // From a list of ours: as a parameter PostgreSQL would not take it for its own type.
  if (kind !== undefined) conditions.push(`"kind" = '${kind}'`)
  if (search) {
    const texts = ['"name"', '"category"', 'CAST("tags" AS TEXT)', 'CAST("id" AS TEXT)']
    add((name) => `(${texts.map((text) => `holds(${text}, ${name})`).join(' OR ')})`, search)
  }
  return { parameters, conditions, add }
}

/** The items of a workspace. */
export function createItemHandlers({ prisma, read }: { prisma: Prisma; read: Read }) {
  async function page(workspaceId: string, request: Request) {
    const { sort = '-published_at', limit = defaultLimit, cursor } = request
    const { by, place: kind, descending } = orders[sort]
    const { parameters, conditions, add } = conditionsOf(workspaceId, request)
    if (cursor !== undefined) {
      const [value, id] = readCursor(cursor, { place: kind, identity: 'number' })
      add((name) => {
        parameters.push(id)
        return `(${by}, "id") ${descending ? '<' : '>'} (${name}, $${parameters.length})`
      }, value)
    }
    const direction = descending ? 'DESC' : 'ASC'
    const rows = await read<{ id: number; place: Place }>(
      `SELECT "id", ${by} AS "place" FROM "Item" WHERE ${conditions.join(' AND ')}
       ORDER BY ${by} ${direction}, "id" ${direction} LIMIT ${limit + 1}`,
      ...parameters,
    )
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    const place = last && placesOf[kind](last.place)
    return {
      ids: shown.map(({ id }) => BigInt(id)),
      next: last && place !== undefined ? cursorOf(place, Number(last.id)) : null,
    }
  }

  async function total(workspaceId: string, request: Request): Promise<number> {
    const { parameters, conditions } = conditionsOf(workspaceId, request)
    const sql = `SELECT count(*) AS "items" FROM "Item" WHERE ${conditions.join(' AND ')}`
    const [row] = await read<{ items: number }>(sql, ...parameters)
    return Number(row?.items)
  }

  async function categories(workspaceId: string): Promise<ConsoleCategory[]> {
    const rows = await read<{ category: string; items: number }>(
      `SELECT "category", count(*) AS "items" FROM "Item" WHERE "workspaceId" = $1 GROUP BY "category" ORDER BY fold("category")`,
      workspaceId,
    )
    return rows.map(({ category, items }) => ({ category, items: Number(items) }))
  }

  const handlers: Pick<Handlers, 'listItems' | 'getItem'> = {
    async listItems({ workspace, request }): Promise<ConsoleItems> {
      const [{ ids, next }, count, all] = await Promise.all([
        page(workspace.id, request),
        total(workspace.id, request),
        categories(workspace.id),
      ])
      const rows = await prisma.item.findMany({ where: { workspaceId: workspace.id, id: { in: ids } } })
      const byId = new Map(rows.map((row) => [row.id, row]))
      const found = ids.flatMap((id) => byId.get(id) ?? [])
      return { items: found.map(presentListed), categories: all, total: count, next_cursor: next }
    },

    async getItem({ workspace, parameters }) {
      const id = v.safeParse(ItemIdParameterSchema, parameters.id)
      const where = id.success && { workspaceId_id: { workspaceId: workspace.id, id: BigInt(id.output) } }
      const row = where ? await prisma.item.findUnique({ where }) : null
      if (!row) throw new ConsoleFailure('not_found')
      return {
        item: presentListed(row),
        preview_video: row.previewVideo,
        preview_audio: row.previewAudio,
        screenshots: row.screenshots as string[],
        base: presentBaseItem(row),
        extended: presentExtendedItem(row),
        purchases: await cappedCount(
          read,
          'FROM "Purchase" WHERE "workspaceId" = $1 AND "itemId" = $2',
          workspace.id,
          Number(row.id),
        ),
      }
    },
  }
  return handlers
}
