import type { Sql } from '../db/sql.ts'
import { stagedColumns } from '../records/columns.ts'
import { type RecordType, recordTables } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import type { LineIssues } from './problems.ts'
import { type Staged, stagedTypes } from './staged.ts'

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
  return `SELECT r."line", r."first", (${content(type, 'a')}) IS DISTINCT FROM (${content(type, 'b')}) AS "differs" FROM (${lines}) r
    JOIN ${staging}${type} a ON a."line" = r."first" JOIN ${staging}${type} b ON b."line" = r."line"
    WHERE r."line" > r."first"`
}

/** Finds records given twice: those with the same content are dropped, of the others the later lines are reported. */
export async function findDuplicates(sql: Sql, staged: Staged, lineIssues: LineIssues) {
  const duplicate = `${staged.staging}duplicate`
  for (const type of stagedTypes(staged)) {
    if (staged.given[type] < 2) continue
    await sql.run(`INSERT INTO ${duplicate} ${duplicatesOf(staged, type)}`)
    const differing = await sql.query<{ line: number; first: number }>(
      `SELECT "line", "first" FROM ${duplicate} WHERE "differs" ORDER BY "line" LIMIT ${lineIssues.room()}`,
    )
    await sql.run(`DELETE FROM ${staged.staging}${type} WHERE "line" IN (SELECT "line" FROM ${duplicate})`)
    await sql.run(`DELETE FROM ${duplicate}`)
    const { field } = recordTables[type].identity
    for (const { line, first } of differing) {
      lineIssues.problem({ line, field, issue: 'given_twice', earlier: first })
      // Nothing says which of two rows of a shop is right.
      if (lineIssues.sales) lineIssues.problem({ line: first, field, issue: 'given_twice', earlier: first })
    }
  }
}
