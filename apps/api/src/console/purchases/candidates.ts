import { parseTimestamp } from '@saleproof/schema'
import type { Read } from '../../db/database.ts'
import { customerColumns } from '../../domain/customers.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { Call } from '../handler.ts'
import { join, raw, type Sql, select, sql } from '../sql.ts'
import type { CustomerCondition, PurchaseCondition } from './code-part.ts'

export type PurchaseFilters = Omit<Call<'exportPurchases'>['request'], 'format'> &
  Pick<Call<'searchPurchases'>['request'], 'cursor'> & {
    /** One of them has to hold: for the first or last characters of the codes, spelled in several ways, or for the customer. */
    search?: readonly (PurchaseCondition | CustomerCondition)[] | undefined
  }

export const isInWorkspace = (workspaceId: number) => sql`"workspaceId" = ${workspaceId}`
const isOfItem = (itemId: number) => sql`"itemId" = ${itemId}`

/** What an index by date decides. */
export function rangeConditions(workspaceId: number, { state, from, to, cursor }: PurchaseFilters): Sql[] {
  const conditions = [isInWorkspace(workspaceId)]
  const date = (text: string) => parseTimestamp(text) ?? null
  const end = to === undefined ? null : date(to)
  // Written like the condition of the partial index, or the database would scan all purchases for a few.
  if (state !== undefined && state !== 'active') conditions.push(sql`"state" <> 'active'`)
  if (from !== undefined) conditions.push(sql`"date" >= ${date(from)}`)
  const [value, code] = cursor === undefined ? [] : decodeCursor(cursor, { value: 'date', id: 'text' })
  if (value && code !== undefined) conditions.push(sql`("date", "code") < (${value}, ${code})`)
  // Of two ends SQLite would begin at this one, and read all purchases up to the other.
  if (to !== undefined && !(value && end && value < end)) conditions.push(sql`"date" < ${end}`)
  return conditions
}

/** What has to be read of each purchase. */
export function filterConditions(filters: PurchaseFilters): Sql[] {
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

/** The purchases for which every condition holds. */
export const purchasesWith = (columns: string, conditions: readonly Sql[]) =>
  sql`SELECT ${raw(columns)} FROM "Purchase" WHERE ${join(conditions, ' AND ')}`

export const newestFirst = raw('ORDER BY "date" DESC, "code" DESC')

/**
 * An index that finds no more is read; otherwise so many purchases are searched for each page, newest first: within 100 ms
 * (`pnpm bench console`).
 */
export const searched = 5_000

/** What an index finds is added up at once where it is no more than that: nothing else is read meanwhile, for up to 200 ms. */
export const maxIndexed = 40_000

/** More take longer to add up than a person waits. */
export const maxSummed = 5_000_000

/** What the filters look at, and what is added up. */
const columns = `"workspaceId", "itemId", "licenseType", "state", "date", "code", "price", "currency", ${customerColumns.join(', ')}`

export interface Position {
  date: number | Date
  code: string
}

export interface Candidates {
  /** A query of the purchases that the filters choose among. */
  candidates: Sql
  /** The last of them, where there are more purchases. */
  last?: Position | undefined
}

export const cursorAt = ({ date, code }: Position) => encodeCursor(new Date(date), code)

/** Finds the purchases that the filters of a list choose among. */
export function createCandidates(read: Read) {
  /** The first of some queries that finds few rows. */
  async function findFew(queries: readonly Sql[], few: number): Promise<Sql | undefined> {
    for (const query of queries) {
      const more = await select(read, sql`${query} LIMIT 1 OFFSET ${raw(few)}`)
      if (more.length === 0) return query
    }
    return undefined
  }

  /** What indexes find: all matches, and others; undefined where they find many. */
  async function findIndexed(
    workspaceId: number,
    { item_id: itemId, search = [] }: PurchaseFilters,
    few: number,
  ): Promise<Candidates | undefined> {
    const codesWith = (condition: Sql) => purchasesWith('"code"', [isInWorkspace(workspaceId), condition])
    const ofItem = itemId === undefined ? undefined : await findFew([codesWith(isOfItem(itemId))], few)
    const found = ofItem ? [ofItem] : []
    for (const each of ofItem ? [] : search) {
      const codes = await findFew('words' in each ? each.words : [codesWith(each.indexed)], few)
      if (!codes) return undefined
      found.push(codes)
    }
    if (found.length === 0) return undefined
    // Of a limit that is a query PostgreSQL expects few rows; of what its statistics say it might read all purchases in their place.
    const codes = sql`SELECT "code" FROM (${join(found, ' UNION ALL ')}) found LIMIT (SELECT ${raw(maxSummed)})`
    const rows = purchasesWith(columns, [isInWorkspace(workspaceId), sql`"code" IN (${codes})`])
    // Materialized: to filter, the database would choose another index and read far more.
    return { candidates: sql`WITH found AS MATERIALIZED (${rows}) SELECT * FROM found` }
  }

  async function findInOrder(conditions: readonly Sql[], order: Sql): Promise<Candidates> {
    const piece = (columns: string, limit: string) =>
      sql`${purchasesWith(columns, conditions)} ${order} ${raw(limit)}`
    const end = piece('"date", "code"', `LIMIT 2 OFFSET ${searched - 1}`)
    const [last, next] = await select<Position>(read, end)
    return { candidates: piece(columns, `LIMIT ${searched}`), last: next && last }
  }

  return { findIndexed, findInOrder }
}
