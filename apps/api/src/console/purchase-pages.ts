import { parseTimestamp } from '@saleproof/schema'
import type { BoundedCount, ExportPurchasesSchema, SearchPurchasesSchema } from '@saleproof/schema/console'
import type * as v from 'valibot'
import type { Prisma } from '../database/open.ts'
import type { QueryParameter, Read } from '../database/reader.ts'
import type { PurchaseRow } from '../presenters/purchase.ts'
import { boundedCount } from './bounded-count.ts'
import { cursorOf, readCursor } from './cursor.ts'
import { invalid } from './failure.ts'

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
    const { conditions, parameters, given } = conditionsOf(workspaceId, filters)
    if (filters.cursor !== undefined) {
      const [date, code] = readCursor(filters.cursor)
      if (!(date instanceof Date)) throw invalid('cursor', 'cursor')
      conditions.push(`("date", "code") < (${given(date)}, ${given(code)})`)
    }
    const where = `FROM "Purchase" WHERE ${conditions.join(' AND ')}`
    const few = filters.item_id !== undefined && (await hasFewSales(workspaceId, filters.item_id))
    const sql = few
      ? `WITH sold AS MATERIALIZED (SELECT "date", "code" ${where})
         SELECT "date", "code" FROM sold ${newestFirst} LIMIT ${limit}`
      : `SELECT "date", "code" ${where} ${newestFirst} LIMIT ${limit}`
    return read<{ date: string | Date; code: string }>(sql, ...parameters)
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

    async count(workspaceId: string, filters: PurchaseFilters): Promise<BoundedCount> {
      const { conditions, parameters } = conditionsOf(workspaceId, filters)
      return boundedCount(read, `FROM "Purchase" WHERE ${conditions.join(' AND ')}`, ...parameters)
    },
  }
}

export type PurchasePages = ReturnType<typeof createPurchasePages>
