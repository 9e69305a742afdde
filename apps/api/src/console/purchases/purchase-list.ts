import { parseTimestamp } from '@saleproof/schema'
import type { CappedCount, ExportPurchasesSchema, SearchPurchasesSchema } from '@saleproof/schema/console'
import type * as v from 'valibot'
import type { PurchaseRow } from '../../api/presenters.ts'
import { selectFields } from '../../records/export-record.ts'
import type { StoredRow } from '../../records/json.ts'
import { purchaseTable } from '../../records/purchase.ts'
import { cappedCount } from '../capped-count.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { ConsoleOptions } from '../handler.ts'
import { join, numbered, type Sql, sql, valuesOf } from '../sql.ts'
import type { CodeCondition } from './code-part.ts'

export type PurchaseFilters = Omit<v.InferOutput<typeof ExportPurchasesSchema>, 'format'> &
  Pick<v.InferOutput<typeof SearchPurchasesSchema>, 'cursor'> & {
    /** The first or last characters of the codes, spelled in several ways. */
    code_part?: readonly CodeCondition[] | undefined
  }

const isOf = (workspaceId: number) => sql('"workspaceId" = ?', workspaceId)
const isOfItem = (itemId: number) => sql('"itemId" = ?', itemId)

/** What an index by date decides. */
function rangeOf(workspaceId: number, { state, from, to, cursor }: PurchaseFilters): Sql[] {
  const conditions = [isOf(workspaceId)]
  const date = (text: string) => parseTimestamp(text) ?? null
  // Written like the condition of the partial index, or the database would scan all purchases for a few.
  if (state !== undefined && state !== 'active') conditions.push(sql(`"state" <> 'active'`))
  if (from !== undefined) conditions.push(sql('"date" >= ?', date(from)))
  if (to !== undefined) conditions.push(sql('"date" < ?', date(to)))
  if (cursor !== undefined) {
    const [value, code] = decodeCursor(cursor, { value: 'date', id: 'text' })
    conditions.push(sql('("date", "code") < (?, ?)', value, code))
  }
  return conditions
}

/** What has to be read of each purchase. */
function filtersOf(filters: PurchaseFilters): Sql[] {
  const { item_id: itemId, license_type: licenseType, state, code_part: codePart } = filters
  const conditions: Sql[] = []
  if (itemId !== undefined) conditions.push(isOfItem(itemId))
  if (licenseType !== undefined) conditions.push(sql('"licenseType" = ?', licenseType))
  if (state !== undefined) conditions.push(sql(`"state" = '${state}'`))
  if (codePart !== undefined) conditions.push(sql(`(${join(codePart, ' OR ')})`, ...valuesOf(codePart)))
  return conditions
}

/** The purchases for which every condition holds. */
const purchasesWith = (columns: string, conditions: readonly Sql[]) =>
  sql(`SELECT ${columns} FROM "Purchase" WHERE ${join(conditions, ' AND ')}`, ...valuesOf(conditions))

/** A purchase as the drivers return it. */
export interface ExportRow extends StoredRow {
  code: string
  date: number | Date
  itemName: string
}

const newestFirst = 'ORDER BY "date" DESC, "code" DESC'

/** An index that finds no more purchases than this is read; otherwise so many are searched for each page, newest first. */
const searched = 10_000

/** What the filters look at. */
const columns = '"workspaceId", "itemId", "licenseType", "state", "date", "code"'

interface Position {
  date: number | Date
  code: string
}

interface Candidates {
  /** A query of the purchases that the filters choose among. */
  candidates: Sql
  /** The oldest of them, where there are older purchases. */
  oldest?: Position | undefined
}

interface Page {
  found: Position[]
  /** The oldest purchase that was searched, where there are older ones. */
  oldest?: Position | undefined
  count: () => Promise<CappedCount>
}

/** A workspace's purchases, newest first, page by page. */
export function createPurchaseList({ prisma, read }: Pick<ConsoleOptions, 'prisma' | 'read'>) {
  const select = <Row>({ text, values }: Sql) => read<Row>(numbered(text), ...values)

  async function areFew(condition: Sql): Promise<boolean> {
    const { text, values } = purchasesWith('1 AS "found"', [condition])
    return (await select(sql(`${text} LIMIT 1 OFFSET ${searched}`, ...values))).length === 0
  }

  /** Conditions that an index decides, each for few purchases; undefined where there are none such. */
  async function findIndexed(workspaceId: number, { item_id: itemId, code_part: codePart }: PurchaseFilters) {
    const inWorkspace = ({ text, values }: Sql) =>
      sql(`"workspaceId" = ? AND ${text}`, workspaceId, ...values)
    const item = itemId === undefined ? undefined : inWorkspace(isOfItem(itemId))
    if (item && (await areFew(item))) return [item]
    for (const { indexed } of codePart ?? []) if (!(await areFew(inWorkspace(indexed)))) return undefined
    return codePart?.map(inWorkspace)
  }

  async function findCandidates(workspaceId: number, filters: PurchaseFilters): Promise<Candidates> {
    const indexed = await findIndexed(workspaceId, filters)
    if (indexed) {
      const queries = indexed.map((condition) => purchasesWith(columns, [condition]))
      // Materialized, and made distinct after that: to filter or to merge, the database would choose another index and read far more.
      const text = `WITH found AS MATERIALIZED (${join(queries, ' UNION ALL ')}) SELECT DISTINCT * FROM found`
      return { candidates: sql(text, ...valuesOf(queries)) }
    }
    const newest = (read: string, limit: string) => {
      const { text, values } = purchasesWith(read, rangeOf(workspaceId, filters))
      return sql(`${text} ${newestFirst} ${limit}`, ...values)
    }
    const last = newest('"date", "code"', `LIMIT 2 OFFSET ${searched - 1}`)
    const [oldest, older] = await select<Position>(last)
    return { candidates: newest(columns, `LIMIT ${searched}`), oldest: older && oldest }
  }

  async function findAll(workspaceId: number, filters: PurchaseFilters, limit: number): Promise<Page> {
    const { text, values } = purchasesWith('"date", "code"', rangeOf(workspaceId, filters))
    return {
      found: await select<Position>(sql(`${text} ${newestFirst} LIMIT ${limit}`, ...values)),
      count: () => cappedCount(read, `FROM (${numbered(text)}) counted`, ...values),
    }
  }

  async function findMatching(workspaceId: number, filters: PurchaseFilters, limit: number): Promise<Page> {
    const { candidates, oldest } = await findCandidates(workspaceId, filters)
    const conditions = [...rangeOf(workspaceId, filters), ...filtersOf(filters)]
    const text = `FROM (${candidates.text}) candidates WHERE ${join(conditions, ' AND ')}`
    const values = valuesOf([candidates, ...conditions])
    const found = await select<Position>(
      sql(`SELECT "date", "code" ${text} ${newestFirst} LIMIT ${limit}`, ...values),
    )
    return {
      found,
      oldest,
      async count() {
        // All of them are on the page.
        if (found.length < limit) return { count: found.length, more: oldest !== undefined }
        const [row] = await select<{ matches: number }>(
          sql(`SELECT count(*) AS "matches" ${text}`, ...values),
        )
        return { count: Number(row?.matches), more: oldest !== undefined }
      },
    }
  }

  /** Without Prisma, which takes several times as long for as many rows, and blocks this thread. */
  async function findExportRows(workspaceId: number, filters: PurchaseFilters, limit: number) {
    const { text, values } = purchasesWith('*', [...rangeOf(workspaceId, filters), ...filtersOf(filters)])
    return select<ExportRow>(
      sql(
        `SELECT ${selectFields(purchaseTable)}, i."name" AS "itemName"
       FROM (${text} ${newestFirst} LIMIT ${limit}) t
       JOIN "Item" i ON i."workspaceId" = t."workspaceId" AND i."id" = t."itemId"
       ORDER BY t."date" DESC, t."code" DESC`,
        ...values,
      ),
    )
  }

  async function findByCodes(workspaceId: number, codes: string[]): Promise<PurchaseRow[]> {
    const rows = await prisma.purchase.findMany({
      where: { workspaceId, code: { in: codes } },
      include: { item: true },
    })
    const byCode = new Map(rows.map((row) => [row.code, row]))
    return codes.flatMap((code) => byCode.get(code) ?? [])
  }

  return {
    /** A short page may not be the last one. */
    async page(workspaceId: number, filters: PurchaseFilters, limit: number) {
      const find = filtersOf(filters).length > 0 ? findMatching : findAll
      const { found, oldest, count } = await find(workspaceId, filters, limit + 1)
      const shown = found.slice(0, limit)
      const end = found.length > limit ? shown.at(-1) : oldest
      const codes = shown.map(({ code }) => code)
      return {
        rows: await findByCodes(workspaceId, codes),
        next: end ? encodeCursor(new Date(end.date), end.code) : null,
        /** The number of matches from here on. */
        count,
      }
    },

    async exportPage(workspaceId: number, filters: PurchaseFilters, limit: number) {
      const rows = await findExportRows(workspaceId, filters, limit)
      const last = rows.length === limit ? rows.at(-1) : undefined
      return { rows, next: last ? encodeCursor(new Date(last.date), last.code) : undefined }
    },
  }
}

export type PurchaseList = ReturnType<typeof createPurchaseList>
