import type { CappedCount, PurchaseSums } from '@saleproof/schema/console'
import { type StoredRow, selectFields } from '../../records/json.ts'
import { purchaseTable } from '../../records/purchase.ts'
import { cappedCount } from '../capped-count.ts'
import type { ConsoleOptions } from '../handler.ts'
import { join, raw, type Sql, select, sql } from '../sql.ts'
import {
  type Candidates,
  createCandidates,
  cursorAt,
  filterConditions,
  isInWorkspace,
  maxIndexed,
  maxSummed,
  newestFirst,
  type Position,
  type PurchaseFilters,
  purchasesWith,
  rangeConditions,
  searched,
} from './candidates.ts'
import { type Added, addedUp, amounts, soldAmounts, totalsOf } from './purchase-sums.ts'

/** A purchase as the drivers return it. */
export interface ExportRow extends StoredRow {
  code: string
  date: number | Date
  itemName: string
}

interface Page {
  found: Position[]
  /** The oldest purchase that was searched, where there are older ones. */
  oldest?: Position | undefined
  /** The number of matches from here on, and what they add up to by currency. */
  totals: () => Promise<{ total: CappedCount; sums: PurchaseSums | null }>
}

/** Purchases of a workspace by their codes. */
export async function findByCodes(
  { prisma }: ConsoleOptions['database'],
  workspaceId: number,
  codes: string[],
) {
  const where = { workspaceId, code: { in: codes } }
  const rows = await prisma.purchase.findMany({ where, include: { item: true } })
  return new Map(rows.map((row) => [row.code, row]))
}

/** A workspace's purchases, newest first, page by page. */
export function createPurchaseList({ database }: Pick<ConsoleOptions, 'database'>) {
  const { read } = database
  const { findIndexed, findInOrder } = createCandidates(read)

  /** In SQLite all are read in the order of their codes in a tenth of the time that the order of their dates takes. */
  const findPiece = (workspaceId: number, filters: PurchaseFilters, after: Position | undefined) =>
    filters.from === undefined
      ? findInOrder([isInWorkspace(workspaceId), sql`"code" > ${after?.code ?? ''}`], raw('ORDER BY "code"'))
      : findInOrder(
          rangeConditions(workspaceId, { ...filters, ...(after && { cursor: cursorAt(after) }) }),
          newestFirst,
        )

  /** The amounts of those among the candidates that match. */
  function amountsAmong(candidates: Sql, workspaceId: number, filters: PurchaseFilters): Sql {
    const conditions = [...rangeConditions(workspaceId, filters), ...filterConditions(filters)]
    return sql`SELECT "date", "code", ${amounts} FROM (${candidates}) candidates WHERE ${join(conditions, ' AND ')}`
  }

  const addUp = async (rows: Sql) => totalsOf(await select<Added>(read, addedUp(rows)))

  /** What more matches than are read add up to; null where no totals have what is filtered by. */
  async function sumsOfMany(workspaceId: number, filters: PurchaseFilters) {
    const { license_type: licenseType, state, search } = filters
    const hasTotals = licenseType === undefined && state === undefined && !search
    const sold = hasTotals && soldAmounts(workspaceId, filters)
    return sold ? (await addUp(sold)).sums : null
  }

  async function findAll(workspaceId: number, filters: PurchaseFilters, limit: number): Promise<Page> {
    const all = (columns: Sql) =>
      sql`SELECT ${columns} FROM "Purchase" WHERE ${join(rangeConditions(workspaceId, filters), ' AND ')}`
    const positions = all(raw('"date", "code"'))
    return {
      found: await select<Position>(read, sql`${positions} ${newestFirst} LIMIT ${raw(limit)}`),
      async totals() {
        const total = await cappedCount(read, positions)
        const sums = total.more ? await sumsOfMany(workspaceId, filters) : (await addUp(all(amounts))).sums
        return { total, sums }
      },
    }
  }

  async function findMatching(workspaceId: number, filters: PurchaseFilters, limit: number): Promise<Page> {
    const { candidates, last } =
      (await findIndexed(workspaceId, filters, searched)) ??
      (await findInOrder(rangeConditions(workspaceId, filters), newestFirst))
    const matching = amountsAmong(candidates, workspaceId, filters)
    const page = (
      rows: Sql,
    ) => sql`SELECT "date", "code", NULL AS "currency", NULL AS "high", NULL AS "low", NULL AS "sales"
      FROM (SELECT * FROM (${rows}) matching ${newestFirst} LIMIT ${raw(limit)}) page`
    const isCounted = !last || (!filters.search && filters.cursor === undefined)
    // In one query: to search for the sums once more would take twice as long.
    const query = isCounted
      ? sql`WITH matching AS MATERIALIZED (${matching}) ${page(raw('SELECT * FROM matching'))}
        UNION ALL SELECT NULL, NULL, added.* FROM (${addedUp(raw('SELECT * FROM matching'))}) added
        ORDER BY 1 DESC NULLS LAST, 2 DESC`
      : page(matching)
    const rows = await select<Position & Added>(read, query)
    const isAdded = ({ currency }: Added) => currency !== null
    const found = rows.filter((row) => !isAdded(row))
    const { count, sums } = totalsOf(rows.filter(isAdded))
    return {
      found,
      oldest: last,
      totals: async () => ({
        total: { count: isCounted ? count : Math.min(found.length, limit - 1), more: last !== undefined },
        sums: last ? await sumsOfMany(workspaceId, filters) : sums,
      }),
    }
  }

  return {
    /** A short page may not be the last one. */
    async page(workspaceId: number, filters: PurchaseFilters, limit: number) {
      const find = filterConditions(filters).length > 0 ? findMatching : findAll
      const { found, oldest, totals } = await find(workspaceId, filters, limit + 1)
      const shown = found.slice(0, limit)
      const end = found.length > limit ? shown.at(-1) : oldest
      const codes = shown.map(({ code }) => code)
      const rows = await findByCodes(database, workspaceId, codes)
      return {
        rows: codes.flatMap((code) => rows.get(code) ?? []),
        next: end ? cursorAt(end) : null,
        totals,
      }
    },

    /**
     * What all matches add up to by currency, however many they are, while it is wanted; null where their workspace has too many purchases.
     * Between pieces the other pages of the console are read.
     */
    async sum(workspaceId: number, filters: PurchaseFilters, isWanted: () => boolean) {
      const added: Added[] = []
      const indexed = await findIndexed(workspaceId, filters, maxIndexed)
      let after: Position | undefined
      for (let summed = 0; summed < maxSummed && isWanted(); summed += searched) {
        const { candidates, last }: Candidates = indexed ?? (await findPiece(workspaceId, filters, after))
        const amounts = amountsAmong(candidates, workspaceId, filters)
        added.push(...(await select<Added>(read, addedUp(amounts))))
        if (!last) return totalsOf(added).sums
        after = last
      }
      return null
    },

    /** Without Prisma, which takes several times as long for as many rows, and blocks this thread. */
    async exportPage(workspaceId: number, filters: PurchaseFilters, limit: number) {
      const conditions = [...rangeConditions(workspaceId, filters), ...filterConditions(filters)]
      const page = sql`${purchasesWith('*', conditions)} ${newestFirst} LIMIT ${raw(limit)}`
      const rows = await select<ExportRow>(
        read,
        sql`SELECT ${raw(selectFields(purchaseTable))}, i."name" AS "itemName" FROM (${page}) t
          JOIN "Item" i ON i."workspaceId" = t."workspaceId" AND i."id" = t."itemId"
          ORDER BY t."date" DESC, t."code" DESC`,
      )
      const last = rows.length === limit ? rows.at(-1) : undefined
      return { rows, next: last && cursorAt(last) }
    },
  }
}

export type PurchaseList = ReturnType<typeof createPurchaseList>
