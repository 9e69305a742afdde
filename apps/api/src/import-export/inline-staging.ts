import { type SqlSteps, type Statement, select } from '../db/sql-steps.ts'
import { type ColumnValue, type StagedType, stagedColumns } from '../records/columns.ts'
import { byType, recordTables, recordTypes } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import { soldItems } from './rules.ts'
import { type Duplicate, type Staged, selectStaged } from './staged.ts'
import type { StagingWriter } from './target.ts'
import { createUpserts, plannedRows, type Upserts } from './upserts.ts'

export interface ListColumn {
  name: string
  type: StagedType
}

/** A dialect whose statements read what is staged from the JSON in their parameter. */
export interface InlineDialect extends Dialect {
  /** The rows of a list in the JSON that `$1` is. Bytes stand in it as hexadecimal digits. */
  rowsOf: (list: string, columns: readonly ListColumn[]) => string
  /** A text or a number in it. */
  textIn: (name: string) => string
  numberIn: (name: string) => string
}

type ListRow = Readonly<Record<string, ColumnValue>>

const line: ListColumn = { name: 'line', type: 'integer' }
const columnsOf = byType((type): readonly ListColumn[] => [line, ...stagedColumns(recordTables[type])])
const boundColumns: readonly ListColumn[] = [line, { name: 'itemId', type: 'integer' }]

const toJson = (value: ColumnValue | undefined) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : (value ?? null)

const rowOf = (columns: readonly ListColumn[], values: readonly ColumnValue[]): ListRow =>
  Object.fromEntries(columns.map(({ name }, index) => [name, toJson(values[index])]))

/** What stands for the tables of staging and its views, by name; each after those that it reads. */
function definitionsOf(dialect: InlineDialect, upserts: Upserts): (readonly [name: string, query: string])[] {
  return [
    ...recordTypes.map((type) => [type, dialect.rowsOf(type, columnsOf[type])] as const),
    ['bound_item', `SELECT DISTINCT * FROM (${dialect.rowsOf('bound', boundColumns)}) b`],
    ['sold_item', soldItems(dialect)],
    ...recordTypes.map((type) => [`planned_${type}`, plannedRows(dialect, type, upserts[type])] as const),
  ]
}

const reads = (sql: string, name: string) => new RegExp(`(?:FROM|JOIN) ${name}\\b`).test(sql)

/** What is the same for each import into a database. */
export function createInlineReader(given: InlineDialect) {
  const dialect = { ...given, staging: '' }
  const upserts = createUpserts(dialect, dialect.textIn('now'))
  const definitions = definitionsOf(dialect, upserts).toReversed()
  /** There are as many as sets of types have statements. */
  const statements = new Map<string, string>()

  function withDefinitions(sql: string): string {
    let text = sql
    const used: string[] = []
    for (const [name, query] of definitions) {
      if (!reads(text, name)) continue
      text += query
      used.unshift(`${name} AS (${query})`)
    }
    return `WITH ${used.join(', ')} ${sql}`
  }

  return {
    dialect,
    upserts,
    /** A statement with the definitions that it reads. */
    statement(sql: string): string {
      const statement = statements.get(sql) ?? withDefinitions(sql)
      statements.set(sql, statement)
      return statement
    },
  }
}

export type InlineReader = ReturnType<typeof createInlineReader>

/** Keeps the few records of a small import in memory: they go with each statement, so that no table is made for them. */
export function createInlineStaging({ dialect, upserts, statement }: InlineReader, now: Date) {
  const values: Record<string, string | number> = { now: now.getTime() }
  const rows = byType((): ListRow[] => [])
  const bound: ListRow[] = []
  let json: string | undefined

  const writer: StagingWriter = {
    begin() {},
    end() {},
    flushIfNeeded: () => undefined,
    add: (type, number, row) => void rows[type].push(rowOf(columnsOf[type], [number, ...row])),
    // The purchases say it.
    addSoldItem() {},
    addKeyItem: (number, itemId) => void bound.push(rowOf(boundColumns, [number, itemId])),
  }

  function reading(sql: string): Statement {
    json ??= JSON.stringify({ ...values, ...rows, bound })
    return [statement(sql), json]
  }

  const staged: Staged = {
    ...dialect,
    get types() {
      return recordTypes.filter((type) => rows[type].length > 0)
    },
    numberOf(name, value) {
      values[name] = value
      json = undefined
      return dialect.numberIn(name)
    },
    textOf(name, value) {
      values[name] = value
      json = undefined
      return dialect.textIn(name)
    },
    reading,
    *resolveWorkspaces() {},
    *each<Found extends object>(
      queries: readonly string[],
      take: (rows: readonly Found[], index: number) => void,
    ) {
      if (queries.length === 0) return
      const parts = queries.map((query, index) => `SELECT ${index} AS "query", q.* FROM (${query}) q`)
      const union = `${parts.join(' UNION ALL ')} ORDER BY 1, 2`
      const found = yield* selectStaged<Found & { query: number }>(staged, union)
      for (const index of queries.keys())
        take(
          found.filter(({ query }) => query === index),
          index,
        )
    },
    *removeDuplicates(type, query, limit) {
      if (rows[type].length < 2) return []
      const duplicates = yield* selectStaged<Duplicate>(staged, `${query} ORDER BY 1`)
      const lines = new Set(duplicates.map((each) => each.line))
      rows[type] = rows[type].filter((row) => !lines.has(Number(row.line)))
      json = undefined
      return duplicates.filter(({ differs }) => differs).slice(0, limit)
    },
  }
  return {
    writer,
    staged,
    upserts,
    /** The hash that an earlier line gave an account. */
    passwordHash: (username: string) =>
      rows.account
        .filter((row) => row.username === username)
        .map((row) => String(row.passwordHash))
        .find((hash) => hash.startsWith('$')),
  }
}

export type InlineStaging = ReturnType<typeof createInlineStaging>

/** The stored hash of an account. */
export function* storedHash({ main }: Dialect, username: string): SqlSteps<string | undefined> {
  const [row] = yield* select<{ passwordHash: string | null }>(
    `SELECT "passwordHash" FROM ${main}"Account" WHERE "username" = $1`,
    username,
  )
  return row?.passwordHash ?? undefined
}
