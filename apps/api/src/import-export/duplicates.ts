import { type SqlSteps, select } from '../db/sql-steps.ts'
import { stagedColumns } from '../records/columns.ts'
import { type RecordType, recordTables, recordTypes } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import type { LineIssues } from './problems.ts'

/** The columns that the file gives: generated values differ between records with the same content. */
const content = (type: RecordType) =>
  stagedColumns(recordTables[type]).flatMap(({ name, field }) => (field ? [name] : []))

/** Codes are unique in their workspace only. */
const duplicatesOf = ({ staging }: Dialect, type: RecordType) => {
  const { column } = recordTables[type].identity
  const [partition, join] =
    type === 'purchase'
      ? ['w."slug", s."code"', `JOIN ${staging}sold_item w ON w."itemId" = s."itemId"`]
      : [`s."${column}"`, '']
  return `SELECT s."line", min(s."line") OVER (PARTITION BY ${partition}) AS "first" FROM ${staging}${type} s ${join}
    WHERE s."${column}" IN (SELECT "${column}" FROM ${staging}${type} GROUP BY "${column}" HAVING count(*) > 1)`
}

/** Finds records given twice: those with the same content are dropped, of the others the later lines are reported. */
export function* findDuplicates(dialect: Dialect, lineIssues: LineIssues): SqlSteps<void> {
  const { staging } = dialect
  for (const type of recordTypes) {
    yield `CREATE TABLE ${staging}duplicates AS ${duplicatesOf(dialect, type)}`
    const row = (name: string) =>
      content(type)
        .map((column) => `${name}."${column}"`)
        .join(', ')
    const differing = yield* select<{ line: number }>(`SELECT r."line" FROM ${staging}duplicates r
      JOIN ${staging}${type} a ON a."line" = r."first" JOIN ${staging}${type} b ON b."line" = r."line"
      WHERE (${row('a')}) IS DISTINCT FROM (${row('b')}) ORDER BY r."line" LIMIT ${lineIssues.room()}`)
    const { field } = recordTables[type].identity
    for (const { line } of differing) lineIssues.problem({ line, field, issue: 'given_twice' })
    yield `DELETE FROM ${staging}${type} WHERE "line" IN (SELECT "line" FROM ${staging}duplicates WHERE "line" > "first")`
    yield `DROP TABLE ${staging}duplicates`
  }
}
