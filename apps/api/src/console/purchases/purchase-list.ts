import { parseTimestamp } from '@saleproof/schema'
import type { CappedCount, ExportPurchasesSchema, SearchPurchasesSchema } from '@saleproof/schema/console'
import type * as v from 'valibot'
import type { PurchaseRow } from '../../api/presenters/purchase.ts'
import type { Prisma } from '../../db/sqlite/prisma.ts'
import type { QueryParameter, Read } from '../../db/sqlite/reader.ts'
import { cappedCount } from '../capped-count.ts'
import { cursorOf, readCursor } from '../cursor.ts'

export type PurchaseFilters = Omit<v.InferOutput<typeof ExportPurchasesSchema>, 'format'> &
  Pick<v.InferOutput<typeof SearchPurchasesSchema>, 'cursor'>

/** The conditions of a search, with what they are given. */
function conditionsOf(workspaceId: string, filters: PurchaseFilters) {
  const { item_id: itemId, license_type: licenseType, state, from, to } = filters
  const parameters: QueryParameter[] = [workspaceId]
  const conditions = ['"workspaceId" = $1']
  const given = (value: QueryParameter) => `$${parameters.push(value)}`
  if (itemId !== undefined) conditions.push(`"itemId" = ${given(itemId)}`)
  if (licenseType !== undefined) conditions.push(`"licenseType" = ${given(licenseType)}`)
  // In the words of the index of these, without which few of many would be looked for among all.
  if (state !== undefined && state !== 'active') conditions.push(`"state" <> 'active'`)
  if (state !== undefined) conditions.push(`"state" = '${state}'`)
  if (from !== undefined) conditions.push(`"date" >= ${given(parseTimestamp(from)!)}`)
  if (to !== undefined) conditions.push(`"date" < ${given(parseTimestamp(to)!)}`)
  return { conditions, parameters, given }
}

/** `conditionsOf`, and that the page begins where the one before ended. */
function whereOf(workspaceId: string, filters: PurchaseFilters) {
  const { conditions, parameters, given } = conditionsOf(workspaceId, filters)
  if (filters.cursor !== undefined) {
    const [date, code] = readCursor(filters.cursor, { place: 'moment', identity: 'text' })
    conditions.push(`("date", "code") < (${given(date)}, ${given(code)})`)
  }
  return { where: `FROM "Purchase" WHERE ${conditions.join(' AND ')}`, parameters }
}

/** A purchase as it is exported. */
export interface SoldRow extends Pick<PurchaseRow, 'code' | 'state' | 'licenseType' | 'currency' | 'date'> {
  itemId: number
  /** Of the item. */
  name: string
  price: number
  supportedUntil: Date | null
  downloaded: boolean
}

/** The same as the drivers give it. */
type StoredSale = Omit<SoldRow, 'date' | 'supportedUntil'> & {
  date: string | Date
  supportedUntil: string | Date | null
}

const newestFirst = 'ORDER BY "date" DESC, "code" DESC'

/** Of fewer sales than this the index of an item is sorted; of more the index by date soon meets enough. */
const fewSales = 20_000

/** Purchases of a workspace, newest first, page by page. */
export function createPurchasePages({ prisma, read }: { prisma: Prisma; read: Read }) {
  async function hasFewSales(workspaceId: string, itemId: number): Promise<boolean> {
    const [row] = await read<{ many: number }>(
      `SELECT 1 AS "many" FROM "Purchase" WHERE "workspaceId" = $1 AND "itemId" = $2 LIMIT 1 OFFSET ${fewSales}`,
      ...[workspaceId, itemId],
    )
    return row === undefined
  }

  async function places(workspaceId: string, filters: PurchaseFilters, limit: number) {
    const { where, parameters } = whereOf(workspaceId, filters)
    const few = filters.item_id !== undefined && (await hasFewSales(workspaceId, filters.item_id))
    const sql = few
      ? `WITH sold AS MATERIALIZED (SELECT "date", "code" ${where})
         SELECT "date", "code" FROM sold ${newestFirst} LIMIT ${limit}`
      : `SELECT "date", "code" ${where} ${newestFirst} LIMIT ${limit}`
    return read<{ date: string | Date; code: string }>(sql, ...parameters)
  }

  /** As they are exported: without Prisma, which takes several times as long for as many rows, and in this thread. */
  async function soldRows(workspaceId: string, filters: PurchaseFilters, limit: number): Promise<SoldRow[]> {
    const { where, parameters } = whereOf(workspaceId, filters)
    const rows = await read<StoredSale>(
      `SELECT p."code", p."state", p."itemId", i."name", p."licenseType", p."price", p."currency", p."date",
         p."supportedUntil", p."downloaded"
       FROM (SELECT * ${where} ${newestFirst} LIMIT ${limit}) p
       JOIN "Item" i ON i."workspaceId" = p."workspaceId" AND i."id" = p."itemId"
       ORDER BY p."date" DESC, p."code" DESC`,
      ...parameters,
    )
    return rows.map((row) => ({
      ...row,
      itemId: Number(row.itemId),
      price: Number(row.price),
      date: new Date(row.date),
      supportedUntil: row.supportedUntil === null ? null : new Date(row.supportedUntil),
      downloaded: Boolean(row.downloaded),
    }))
  }

  async function rowsOf(workspaceId: string, codes: string[]): Promise<PurchaseRow[]> {
    const rows = await prisma.purchase.findMany({
      where: { workspaceId, code: { in: codes } },
      include: { item: true },
    })
    const byCode = new Map(rows.map((row) => [row.code, row]))
    return codes.flatMap((code) => byCode.get(code) ?? [])
  }

  return {
    async page(workspaceId: string, filters: PurchaseFilters, limit: number) {
      const found = await places(workspaceId, filters, limit + 1)
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      return {
        rows: await rowsOf(
          workspaceId,
          shown.map(({ code }) => code),
        ),
        next: last ? cursorOf(new Date(last.date), last.code) : null,
      }
    },

    async sold(workspaceId: string, filters: PurchaseFilters, limit: number) {
      const rows = await soldRows(workspaceId, filters, limit)
      const last = rows.length === limit ? rows.at(-1) : undefined
      return { rows, next: last ? cursorOf(last.date, last.code) : null }
    },

    async count(workspaceId: string, filters: PurchaseFilters): Promise<CappedCount> {
      const { conditions, parameters } = conditionsOf(workspaceId, filters)
      return cappedCount(read, `FROM "Purchase" WHERE ${conditions.join(' AND ')}`, ...parameters)
    },
  }
}

export type PurchasePages = ReturnType<typeof createPurchasePages>
