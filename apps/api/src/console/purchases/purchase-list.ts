import { parseTimestamp } from '@saleproof/schema'
import type { CappedCount, ExportPurchasesSchema, SearchPurchasesSchema } from '@saleproof/schema/console'
import type * as v from 'valibot'
import type { PurchaseRow } from '../../api/presenters/purchase.ts'
import type { QueryParameter } from '../../db/database.ts'
import { cappedCount } from '../capped-count.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { ConsoleOptions } from '../handler.ts'

export type PurchaseFilters = Omit<v.InferOutput<typeof ExportPurchasesSchema>, 'format'> &
  Pick<v.InferOutput<typeof SearchPurchasesSchema>, 'cursor'>

function whereOf(workspaceId: string, filters: PurchaseFilters) {
  const { item_id: itemId, license_type: licenseType, state, from, to, cursor } = filters
  const parameters: QueryParameter[] = [workspaceId]
  const conditions = ['"workspaceId" = $1']
  const parameter = (value: QueryParameter) => `$${parameters.push(value)}`
  const date = (text: string) => parameter(parseTimestamp(text) ?? null)
  if (itemId !== undefined) conditions.push(`"itemId" = ${parameter(itemId)}`)
  if (licenseType !== undefined) conditions.push(`"licenseType" = ${parameter(licenseType)}`)
  // Written like the condition of the partial index, or the database would scan all purchases for a few.
  if (state !== undefined && state !== 'active') conditions.push(`"state" <> 'active'`)
  if (state !== undefined) conditions.push(`"state" = '${state}'`)
  if (from !== undefined) conditions.push(`"date" >= ${date(from)}`)
  if (to !== undefined) conditions.push(`"date" < ${date(to)}`)
  if (cursor !== undefined) {
    const [date, code] = decodeCursor(cursor, { value: 'date', id: 'text' })
    conditions.push(`("date", "code") < (${parameter(date)}, ${parameter(code)})`)
  }
  return { where: `FROM "Purchase" WHERE ${conditions.join(' AND ')}`, parameters }
}

/** A purchase as the export writes it. */
export interface ExportRow extends Pick<PurchaseRow, 'code' | 'state' | 'licenseType' | 'currency' | 'date'> {
  itemId: number
  itemName: string
  price: number
  supportedUntil: Date | null
  downloaded: boolean
}

/** An `ExportRow` as the drivers return it. */
type StoredRow = Omit<ExportRow, 'date' | 'supportedUntil'> & {
  date: string | Date
  supportedUntil: string | Date | null
}

const newestFirst = 'ORDER BY "date" DESC, "code" DESC'

/** Fewer sales of an item than this are sorted; for more, scanning the index by date finds a page sooner. */
const fewSales = 20_000

/** A workspace's purchases, newest first, page by page. */
export function createPurchaseList({ prisma, read }: Pick<ConsoleOptions, 'prisma' | 'read'>) {
  async function hasFewSales(workspaceId: string, itemId: number): Promise<boolean> {
    const [row] = await read<{ many: number }>(
      `SELECT 1 AS "many" FROM "Purchase" WHERE "workspaceId" = $1 AND "itemId" = $2 LIMIT 1 OFFSET ${fewSales}`,
      workspaceId,
      itemId,
    )
    return row === undefined
  }

  async function findPage(workspaceId: string, filters: PurchaseFilters, limit: number) {
    const { where, parameters } = whereOf(workspaceId, filters)
    const sorts = filters.item_id !== undefined && (await hasFewSales(workspaceId, filters.item_id))
    const sql = sorts
      ? `WITH sold AS MATERIALIZED (SELECT "date", "code" ${where})
         SELECT "date", "code" FROM sold ${newestFirst} LIMIT ${limit}`
      : `SELECT "date", "code" ${where} ${newestFirst} LIMIT ${limit}`
    return read<{ date: string | Date; code: string }>(sql, ...parameters)
  }

  /** Without Prisma, which takes several times as long for as many rows, and blocks this thread. */
  async function findExportRows(workspaceId: string, filters: PurchaseFilters, limit: number) {
    const { where, parameters } = whereOf(workspaceId, filters)
    const rows = await read<StoredRow>(
      `SELECT p."code", p."state", p."itemId", i."name" AS "itemName", p."licenseType", p."price", p."currency",
         p."date", p."supportedUntil", p."downloaded"
       FROM (SELECT * ${where} ${newestFirst} LIMIT ${limit}) p
       JOIN "Item" i ON i."workspaceId" = p."workspaceId" AND i."id" = p."itemId"
       ORDER BY p."date" DESC, p."code" DESC`,
      ...parameters,
    )
    return rows.map(
      (row): ExportRow => ({
        ...row,
        itemId: Number(row.itemId),
        price: Number(row.price),
        date: new Date(row.date),
        supportedUntil: row.supportedUntil === null ? null : new Date(row.supportedUntil),
        downloaded: Boolean(row.downloaded),
      }),
    )
  }

  async function findByCodes(workspaceId: string, codes: string[]): Promise<PurchaseRow[]> {
    const rows = await prisma.purchase.findMany({
      where: { workspaceId, code: { in: codes } },
      include: { item: true },
    })
    const byCode = new Map(rows.map((row) => [row.code, row]))
    return codes.flatMap((code) => byCode.get(code) ?? [])
  }

  return {
    async page(workspaceId: string, filters: PurchaseFilters, limit: number) {
      const found = await findPage(workspaceId, filters, limit + 1)
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      const codes = shown.map(({ code }) => code)
      return {
        rows: await findByCodes(workspaceId, codes),
        next: last ? encodeCursor(new Date(last.date), last.code) : null,
      }
    },

    async exportPage(workspaceId: string, filters: PurchaseFilters, limit: number) {
      const rows = await findExportRows(workspaceId, filters, limit)
      const last = rows.length === limit ? rows.at(-1) : undefined
      return { rows, next: last ? encodeCursor(last.date, last.code) : undefined }
    },

    async count(workspaceId: string, filters: Omit<PurchaseFilters, 'cursor'>): Promise<CappedCount> {
      const { where, parameters } = whereOf(workspaceId, filters)
      return cappedCount(read, where, ...parameters)
    },
  }
}

export type PurchaseList = ReturnType<typeof createPurchaseList>
