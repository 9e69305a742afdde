import { type SqlSteps, type Statement, select, selectBy } from '../db/sql-steps.ts'
import { type RecordType, recordTypes } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import { resolveWorkspaces } from './rules.ts'

/** Takes the rows of a query, and its place among the others. */
type Take<Found> = (rows: readonly Found[], index: number) => void

/** A line that says the same as an earlier one, or something else of the same record. */
export interface Duplicate {
  line: number
  differs: number | boolean
}

/** What an import has staged, and how its statements read that. */
export interface Staged extends Dialect {
  /** The types that have records, in the order in which they are written. */
  types: readonly RecordType[]
  /** The expression of a number in the statements that follow. */
  numberOf: (name: string, value: number) => string
  /** The same for a text, which holds no quotation marks. */
  textOf: (name: string, value: string) => string
  /** A statement that reads what is staged. */
  reading: (sql: string) => Statement
  /** Finds the workspaces of the items that are sold, as far as they are stored by now. */
  resolveWorkspaces: () => SqlSteps<void>
  /** Runs queries, all with the same columns, in their order. */
  each: <Found extends object>(queries: readonly string[], take: Take<Found>) => SqlSteps<void>
  /** Removes duplicates of a type, which a query finds; gives as many of those that differ, in the order of their lines. */
  removeDuplicates: (type: RecordType, query: string, limit: number) => SqlSteps<readonly Duplicate[]>
}

/** The rows of a query that reads what is staged. */
export const selectStaged = <Found extends object>(staged: Staged, sql: string) =>
  selectBy<Found>(staged.reading(sql))

/** What is staged in tables. */
export function stagedTables(dialect: Dialect): Staged {
  const duplicates = `${dialect.staging}duplicates`
  return {
    ...dialect,
    types: recordTypes,
    numberOf: (_, value) => String(value),
    textOf: (_, value) => `'${value}'`,
    reading: (sql) => sql,
    resolveWorkspaces: () => resolveWorkspaces(dialect),
    *each<Found extends object>(queries: readonly string[], take: Take<Found>) {
      for (const [index, query] of queries.entries()) take(yield* select<Found>(query), index)
    },
    *removeDuplicates(type, query, limit) {
      yield `CREATE TABLE ${duplicates} AS ${query}`
      const differing = yield* select<Duplicate>(
        `SELECT * FROM ${duplicates} WHERE "differs" ORDER BY "line" LIMIT ${limit}`,
      )
      yield `DELETE FROM ${dialect.staging}${type} WHERE "line" IN (SELECT "line" FROM ${duplicates})`
      yield `DROP TABLE ${duplicates}`
      return differing
    },
  }
}
