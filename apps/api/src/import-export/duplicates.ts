import type { SqlSteps } from '../db/sql-steps.ts'
import { stagedColumns } from '../records/columns.ts'
import { type RecordType, recordTables } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import type { LineIssues } from './problems.ts'
import type { Staged } from './staged.ts'

/** The columns that the file gives: generated values differ between records with the same content. */
const content = (type: RecordType, alias: string) =>
  stagedColumns(recordTables[type])
    .flatMap(({ name, field }) => (field ? [`${alias}."${name}"`] : []))
    .join(', ')

/** The lines of records that an earlier line gave. Codes are unique in their workspace only. */
function duplicatesOf({ staging }: Dialect, type: RecordType): string {
  const { column } = recordTables[type].identity
  const [partition, join] =
    type === 'purchase'
      ? ['w."slug", s."code"', `JOIN ${staging}sold_item w ON w."itemId" = s."itemId"`]
      : [`s."${column}"`, '']
  const lines = `SELECT s."line", min(s."line") OVER (PARTITION BY ${partition}) AS "first" FROM ${staging}${type} s ${join}
    WHERE s."${column}" IN (SELECT "${column}" FROM ${staging}${type} GROUP BY "${column}" HAVING count(*) > 1)`
  return `SELECT r."line", (${content(type, 'a')}) IS DISTINCT FROM (${content(type, 'b')}) AS "differs" FROM (${lines}) r
    JOIN ${staging}${type} a ON a."line" = r."first" JOIN ${staging}${type} b ON b."line" = r."line"
    WHERE r."line" > r."first"`
}

/** Finds records given twice: those with the same content are dropped, of the others the later lines are reported. */
export function* findDuplicates(staged: Staged, lineIssues: LineIssues): SqlSteps<void> {
  for (const type of staged.types) {
    const { field } = recordTables[type].identity
    const differing = yield* staged.removeDuplicates(type, duplicatesOf(staged, type), lineIssues.room())
    for (const { line } of differing) lineIssues.problem({ line, field, issue: 'given_twice' })
  }
}
