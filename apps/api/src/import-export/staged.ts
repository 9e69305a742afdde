import type { Sql } from '../db/sql.ts'
import { type StagedType, stagedColumns } from '../records/columns.ts'
import { type RecordType, recordTables, recordTypes } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import { createUpserts, type Upserts } from './upserts.ts'

export type StagedCounts = Readonly<Record<RecordType, number>>

/** How an import reads what it has staged. */
export interface Staged extends Dialect {
  /** How many records of each type were given. */
  given: StagedCounts
  upserts: Upserts
}

export const createStaged = (dialect: Dialect, given: StagedCounts): Staged => ({
  ...dialect,
  given,
  upserts: createUpserts(dialect),
})

/** The types that have records, in the order in which they are written. */
export const stagedTypes = ({ given }: { given: StagedCounts }): readonly RecordType[] =>
  recordTypes.filter((type) => given[type] > 0)

type Definition = readonly [name: string, type: StagedType | 'key']

const columnDefinitions = (type: RecordType): readonly Definition[] =>
  stagedColumns(recordTables[type]).map((column) => [column.name, column.type])

const tables: readonly (readonly [name: string, columns: readonly Definition[]])[] = [
  ...recordTypes.map((type) => [type, [['line', 'key'], ...columnDefinitions(type)]] as const),
  [
    'sold_item',
    [
      ['itemId', 'key'],
      ['line', 'integer'],
      ['slug', 'text'],
      ['workspaceId', 'integer'],
    ],
  ],
]

export const stagingTables: readonly string[] = tables.map(([name]) => name)

/** The statements that create the tables of staging. */
export const createStaging = ({ staging, types }: Dialect, end = ''): readonly string[] =>
  tables.map(([name, columns]) => {
    const definitions = columns.map(([column, type]) => `"${column}" ${types[type]}`)
    return `CREATE TABLE IF NOT EXISTS ${staging}${name} (${definitions.join(', ')}) ${end}`
  })

/** Stages a record. The parameters are its line and the columns of its row. */
export const insertStaged = (
  { staging }: Dialect,
  type: RecordType,
  parameter = (at: number) => `$${at}`,
) => {
  const names = ['line', ...stagedColumns(recordTables[type]).map(({ name }) => name)]
  const values = names.map((_, index) => parameter(index + 1))
  return `INSERT INTO ${staging}${type} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${values.join(', ')})`
}

/** Runs queries with the same columns and parameters, and hands the rows of each over with its place among them. */
export async function selectEach<Found extends object>(
  sql: Sql,
  queries: readonly string[],
  take: (rows: readonly Found[], index: number) => void,
  ...values: readonly unknown[]
): Promise<void> {
  if (queries.length === 0) return
  const parts = queries.map((query, index) => `SELECT ${index} AS "query", q.* FROM (${query}) q`)
  const union = `${parts.join(' UNION ALL ')} ORDER BY 1, 2`
  const found = await sql.query<Found & { query: number }>(union, ...values)
  for (const index of queries.keys())
    take(
      found.filter(({ query }) => query === index),
      index,
    )
}
