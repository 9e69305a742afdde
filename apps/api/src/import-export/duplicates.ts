import type { Dialect } from './dialect.ts'
import type { Findings } from './problems.ts'
import { type RecordType, recordTypes } from './records.ts'
import type { Work } from './sql-steps.ts'
import { stagedColumns } from './staged-columns.ts'

/** What a record is known by, and the member that holds it. */
const identities: Readonly<Record<RecordType, { column: string; member: string }>> = {
  account: { column: 'username', member: 'username' },
  workspace: { column: 'slug', member: 'slug' },
  item: { column: 'id', member: 'id' },
  api_key: { column: 'keyHash', member: 'key' },
  purchase: { column: 'code', member: 'purchase_code' },
}

/** Made anew for each record: two records with the same content differ in them. */
const generated: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  account: ['id'],
  workspace: ['id', 'createdAt'],
  api_key: ['id', 'createdAt', 'keyCipher'],
}

const content = (type: RecordType) =>
  stagedColumns(type)
    .map(({ name }) => name)
    .filter((name) => !generated[type]?.includes(name))

/** What is staged by what it is known by; for the codes in the order of the copy, too. */
export const stagedIdentities = recordTypes.map((type) => ({ type, column: identities[type].column }))

/** Codes are unique in their workspace only. */
const repeatsOf = ({ staging }: Dialect, type: RecordType) => {
  const { column } = identities[type]
  const [partition, join] =
    type === 'purchase'
      ? ['w."slug", s."code"', `JOIN ${staging}sold_item w ON w."itemId" = s."itemId"`]
      : [`s."${column}"`, '']
  return `SELECT s."line", min(s."line") OVER (PARTITION BY ${partition}) AS "first" FROM ${staging}${type} s ${join}
    WHERE s."${column}" IN (SELECT "${column}" FROM ${staging}${type} GROUP BY "${column}" HAVING count(*) > 1)`
}

/** Finds records given twice: those with the same content are dropped, of the others the later lines are told. */
export function* findRepeats(dialect: Dialect, findings: Findings): Work<void> {
  const { staging } = dialect
  for (const type of recordTypes) {
    yield `CREATE TABLE ${staging}repeated AS ${repeatsOf(dialect, type)}`
    const row = (name: string) =>
      content(type)
        .map((column) => `${name}."${column}"`)
        .join(', ')
    const differing = yield `SELECT r."line" FROM ${staging}repeated r
      JOIN ${staging}${type} a ON a."line" = r."first" JOIN ${staging}${type} b ON b."line" = r."line"
      WHERE (${row('a')}) IS DISTINCT FROM (${row('b')}) ORDER BY r."line" LIMIT ${findings.room()}`
    const { member } = identities[type]
    for (const { line } of differing) findings.problem({ line: line as number, member, issue: 'given_twice' })
    yield `DELETE FROM ${staging}${type} WHERE "line" IN (SELECT "line" FROM ${staging}repeated WHERE "line" > "first")`
    yield `DROP TABLE ${staging}repeated`
  }
}
