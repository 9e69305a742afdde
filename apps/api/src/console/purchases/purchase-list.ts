import { parseTimestamp } from '@saleproof/schema'
import type { CappedCount } from '@saleproof/schema/console'
import { customerColumns } from '../../domain/customers.ts'
import { type StoredRow, selectFields } from '../../records/json.ts'
import { purchaseTable } from '../../records/purchase.ts'
import { cappedCount } from '../capped-count.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { Call, ConsoleOptions } from '../handler.ts'
import { join, raw, type Sql, select, sql } from '../sql.ts'
import type { PurchaseCondition } from './code-part.ts'
import { amounts, soldAmounts, sumAmounts, sumPieces } from './purchase-sums.ts'

export type PurchaseFilters = Omit<Call<'exportPurchases'>['request'], 'format'> &
  Pick<Call<'searchPurchases'>['request'], 'cursor'> & {
    /** One of them has to hold: for the first or last characters of the codes, spelled in several ways, or for the customer. */
    search?: readonly PurchaseCondition[] | undefined
  }

const isInWorkspace = (workspaceId: number) => sql`"workspaceId" = ${workspaceId}`
const isOfItem = (itemId: number) => sql`"itemId" = ${itemId}`

/** What an index by date decides. */
function rangeConditions(workspaceId: number, { state, from, to, cursor }: PurchaseFilters): Sql[] {
  const conditions = [isInWorkspace(workspaceId)]
  const date = (text: string) => parseTimestamp(text) ?? null
  // Written like the condition of the partial index, or the database would scan all purchases for a few.
  if (state !== undefined && state !== 'active') conditions.push(sql`"state" <> 'active'`)
  if (from !== undefined) conditions.push(sql`"date" >= ${date(from)}`)
  if (to !== undefined) conditions.push(sql`"date" < ${date(to)}`)
  if (cursor !== undefined) {
    const [value, code] = decodeCursor(cursor, { value: 'date', id: 'text' })
    conditions.push(sql`("date", "code") < (${value}, ${code})`)
  }
  return conditions
}

/** What has to be read of each purchase. */
function filterConditions(filters: PurchaseFilters): Sql[] {
  const { item_id: itemId, license_type: licenseType, state, search } = filters
  const conditions: Sql[] = []
  if (itemId !== undefined) conditions.push(isOfItem(itemId))
  if (licenseType !== undefined) conditions.push(sql`"licenseType" = ${licenseType}`)
  if (state !== undefined) conditions.push(raw(`"state" = '${state}'`))
  if (search)
    conditions.push(
      sql`(${join(
        search.map(({ condition }) => condition),
        ' OR ',
      )})`,
    )
  return conditions
}

/** The amounts of more matches than are read; undefined where no totals have what is filtered by. */
const manyAmounts = (workspaceId: number, filters: PurchaseFilters): Sql | undefined =>
  filters.license_type === undefined && filters.state === undefined && !filters.search
    ? soldAmounts(workspaceId, filters)
    : undefined

/** The purchases for which every condition holds. */
const purchasesWith = (columns: string, conditions: readonly Sql[]) =>
  sql`SELECT ${raw(columns)} FROM "Purchase" WHERE ${join(conditions, ' AND ')}`

/** A purchase as the drivers return it. */
export interface ExportRow extends StoredRow {
  code: string
  date: number | Date
  itemName: string
}

const newestFirst = raw('ORDER BY "date" DESC, "code" DESC')

/**
 * An index that finds no more purchases than this is read; otherwise so many are searched for each page, newest first: within 100 ms
 * (`pnpm bench console`).
 */
const searched = 7_500

/** What the filters look at, and what is added up. */
const columns = `"workspaceId", "itemId", "licenseType", "state", "date", "code", "price", "currency", ${customerColumns.join(', ')}`

interface Position {
  date: number | Date
  code: string
}

interface Candidates {
  /** A query of the purchases that the filters choose among. */
  candidates: Sql
  /** What it does not decide. */
  left: PurchaseFilters
  /** The oldest of them, where there are older purchases. */
  oldest?: Position | undefined
}

interface Page {
  found: Position[]
  /** The oldest purchase that was searched, where there are older ones. */
  oldest?: Position | undefined
  /** Missing where all are searched: to add them up counts them as well. */
  count?: () => Promise<CappedCount>
  /** The purchases from here on, where they are not searched for piece by piece. */
  matching: Sql
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

  const areFew = async (rows: Sql): Promise<boolean> =>
    (await select(read, sql`${rows} LIMIT 1 OFFSET ${raw(searched)}`)).length === 0

  /** Conditions that an index decides, each for few purchases; undefined where there are none such. */
  async function findIndexed(workspaceId: number, filters: PurchaseFilters) {
    const { item_id: itemId, search } = filters
    const inWorkspace = (condition: Sql) => sql`${isInWorkspace(workspaceId)} AND ${condition}`
    const rowsWith = (condition: Sql) => purchasesWith('1 AS "found"', [condition])
    // By codes that the index alone gives: for whole rows SQLite would read all purchases of the workspace in place of it.
    const byCode = (condition: Sql) =>
      inWorkspace(sql`"code" IN (${purchasesWith('"code"', [inWorkspace(condition)])})`)
    const item = itemId === undefined ? undefined : isOfItem(itemId)
    if (item && (await areFew(rowsWith(inWorkspace(item))))) return { found: [byCode(item)], left: filters }
    for (const { indexed, rows } of search ?? [])
      if (!(await areFew(rows ?? rowsWith(inWorkspace(indexed))))) return undefined
    return (
      search && {
        found: search.map(({ condition, indexed, rows }) =>
          rows ? inWorkspace(indexed) : byCode(condition),
        ),
        left: { ...filters, search: undefined },
      }
    )
  }

  async function findCandidates(workspaceId: number, filters: PurchaseFilters): Promise<Candidates> {
    const indexed = await findIndexed(workspaceId, filters)
    if (indexed) {
      const queries = indexed.found.map((condition) => purchasesWith(columns, [condition]))
      // Materialized, and made distinct after that: to filter or to merge, the database would choose another index and read far more.
      const all = join(queries, ' UNION ALL ')
      const candidates = sql`WITH found AS MATERIALIZED (${all}) SELECT DISTINCT * FROM found`
      return { candidates, left: indexed.left }
    }
    const newest = (columns: string, limit: string) =>
      sql`${purchasesWith(columns, rangeConditions(workspaceId, filters))} ${newestFirst} ${raw(limit)}`
    const last = newest('"date", "code"', `LIMIT 2 OFFSET ${searched - 1}`)
    const [oldest, older] = await select<Position>(read, last)
    return { candidates: newest(columns, `LIMIT ${searched}`), left: filters, oldest: older && oldest }
  }

  async function findAll(workspaceId: number, filters: PurchaseFilters, limit: number): Promise<Page> {
    const query = purchasesWith('"date", "code"', rangeConditions(workspaceId, filters))
    return {
      found: await select<Position>(read, sql`${query} ${newestFirst} LIMIT ${raw(limit)}`),
      count: () => cappedCount(read, query),
      matching: sql`FROM "Purchase" WHERE ${join(rangeConditions(workspaceId, filters), ' AND ')}`,
    }
  }

  async function findMatching(workspaceId: number, filters: PurchaseFilters, limit: number): Promise<Page> {
    const { candidates, left, oldest } = await findCandidates(workspaceId, filters)
    const conditions = [...rangeConditions(workspaceId, filters), ...filterConditions(left)]
    const matching = sql`FROM (${candidates}) candidates WHERE ${join(conditions, ' AND ')}`
    const page = sql`SELECT "date", "code" ${matching} ${newestFirst} LIMIT ${raw(limit)}`
    const found = await select<Position>(read, page)
    const isOfCustomer = filters.search?.some(({ rows }) => rows)
    if (!oldest) return { found, matching }
    return {
      found,
      oldest,
      matching,
      async count() {
        // All of them are on the page; or to read all words would take longer than a person waits.
        if (found.length < limit || isOfCustomer)
          return { count: Math.min(found.length, limit - 1), more: true }
        const count = sql`SELECT count(*) AS "matches" ${matching}`
        const [row] = await select<{ matches: number }>(read, count)
        return { count: Number(row?.matches), more: true }
      },
    }
  }

  return {
    /** A short page may not be the last one. */
    async page(workspaceId: number, filters: PurchaseFilters, limit: number) {
      const find = filterConditions(filters).length > 0 ? findMatching : findAll
      const { found, oldest, count, matching } = await find(workspaceId, filters, limit + 1)
      const shown = found.slice(0, limit)
      const end = found.length > limit ? shown.at(-1) : oldest
      const codes = shown.map(({ code }) => code)
      const rows = await findByCodes(database, workspaceId, codes)
      return {
        rows: codes.flatMap((code) => rows.get(code) ?? []),
        next: end ? encodeCursor(new Date(end.date), end.code) : null,
        /** The number of matches from here on, and what they add up to by currency. */
        async totals() {
          const total = await count?.()
          const rows = total?.more ? manyAmounts(workspaceId, filters) : sql`SELECT ${amounts} ${matching}`
          const all = rows && (await sumAmounts(read, rows))
          return { total: total ?? { count: all?.count ?? 0, more: false }, sums: all?.sums ?? null }
        },
      }
    },

    /** What all matches add up to by currency, however many they are; null where their workspace has too many purchases. */
    sum: (workspaceId: number, filters: PurchaseFilters, isWanted: () => boolean) =>
      sumPieces(
        read,
        workspaceId,
        [...rangeConditions(workspaceId, filters), ...filterConditions(filters)],
        // The words about its customer are read of each.
        filters.search ? 1000 : 10_000,
        isWanted,
      ),

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
      return { rows, next: last ? encodeCursor(new Date(last.date), last.code) : undefined }
    },
  }
}

export type PurchaseList = ReturnType<typeof createPurchaseList>
