import { type SqlSteps, select } from '../db/sql-steps.ts'
import { byType, type RecordType, recordTypes } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import { resolveWorkspaces } from './rules.ts'
import { createSales } from './sales-totals.ts'
import type { Upsert, Upserts } from './upserts.ts'

export interface Count {
  created: number
  updated: number
  unchanged: number
}

/** What an import did, or with `dryRun` would have done, by type of record. */
export type ImportCounts = Record<RecordType, Count>

function* count(type: RecordType): SqlSteps<Count> {
  const rows = yield* select<{
    total: number
    created: number
    updated: number
  }>(`SELECT count(*) AS "total", count(*) FILTER (WHERE "created") AS "created",
    count(*) FILTER (WHERE "changed") AS "updated" FROM planned_${type}`)
  // Counting gives one row.
  const { total, created, updated } = rows[0]!
  return { created, updated, unchanged: total - created - updated }
}

/** What writing the staged records would do. */
export function* countChanges(): SqlSteps<ImportCounts> {
  const counts = byType((): Count => ({ created: 0, updated: 0, unchanged: 0 }))
  for (const type of recordTypes) counts[type] = yield* count(type)
  return counts
}

export const changesNothing = (counts: ImportCounts) =>
  Object.values(counts).every(({ created, updated }) => created + updated === 0)

const plannedValue = ({ json }: Dialect, upsert: Upsert, name: string) =>
  upsert.json.has(name) ? json(`p."${name}"`) : `p."${name}"`

function update(dialect: Dialect, type: RecordType, upsert: Upsert): string {
  const { table, identity, changing } = upsert
  const assignments = Object.keys(changing).map(
    (name) => `"${name}" = ${plannedValue(dialect, upsert, name)}`,
  )
  const same = identity.map((name) => `t."${name}" = p."${name}"`)
  return `UPDATE ${dialect.main}"${table}" AS t SET ${assignments.join(', ')} FROM planned_${type} p
    WHERE p."changed" AND ${same.join(' AND ')}`
}

function* createRows(dialect: Dialect, type: RecordType, upsert: Upsert, entry: number): SqlSteps<void> {
  const { table, identity, fixed, changing } = upsert
  const names = Object.keys({ ...fixed, ...changing })
  const values = names.map((name) => plannedValue(dialect, upsert, name))
  if (type === 'purchase') {
    names.push('createdEntry')
    values.push(String(entry))
  }
  // In the order of the table's key, so that its index grows at its end.
  yield `INSERT INTO ${dialect.main}"${table}" (${names.map((name) => `"${name}"`).join(', ')})
    SELECT ${values.join(', ')} FROM planned_${type} p
    WHERE p."created" ORDER BY ${identity.map((name) => `p."${name}"`).join(', ')}`
}

/** Fewer rows than this are put into an index one by one. */
const manyRows = 20_000

/** Rebuilds the indexes of a table when most of its rows are new: building them sorted takes a third of the time. */
function* createMany(
  dialect: Dialect,
  type: RecordType,
  upsert: Upsert,
  { created, entry }: { created: number; entry: number },
): SqlSteps<void> {
  const { indexesOf, lastRowOf } = dialect.rebuilds ?? {}
  const [last] = indexesOf && lastRowOf && created >= manyRows ? yield lastRowOf(upsert.table) : []
  const indexes = indexesOf && last && created > Number(last.row) ? yield indexesOf(upsert.table) : []
  for (const { name } of indexes) yield `DROP INDEX ${dialect.main}"${name}"`
  const rows = createRows(dialect, type, upsert, entry)
  if (last && type === 'purchase') yield* createSales(rows, Number(last.row))
  else yield* rows
  for (const { sql } of indexes) yield String(sql)
}

/** Binds keys to the items that they were given; after the keys are written. */
function* bind({ main, staging }: Dialect): SqlSteps<void> {
  const keys = `${staging}api_key s JOIN ${main}"ApiKey" k ON k."keyHash" = s."keyHash"`
  const bound = `${keys} JOIN ${staging}bound_item b ON b."line" = s."line"`
  yield `DELETE FROM ${main}"ApiKeyItem" WHERE ("workspaceId", "keyId") IN
      (SELECT k."workspaceId", k."id" FROM ${keys} WHERE s."items" IS NOT NULL)
    AND "itemId" NOT IN (SELECT b."itemId" FROM ${bound} WHERE k."id" = "ApiKeyItem"."keyId")`
  yield `INSERT INTO ${main}"ApiKeyItem" ("workspaceId", "keyId", "itemId")
    SELECT k."workspaceId", k."id", b."itemId" FROM ${bound} WHERE TRUE ON CONFLICT DO NOTHING`
}

/** Records which purchases get another state; before they get it. */
const recordStates = ({ main }: Dialect, entry: number) =>
  `INSERT INTO ${main}"PurchaseChange" ("workspaceId", "code", "entry", "state")
    SELECT d."workspaceId", d."code", ${entry}, p."state" FROM planned_purchase p
    JOIN ${main}"Purchase" d ON d."workspaceId" = p."workspaceId" AND d."code" = p."code"
    WHERE p."changed" AND d."state" <> p."state"`

/** Records that the purchase was recorded by hand; after it is written. */
export const recordByHand = ({ main }: Dialect, entry: number) =>
  `INSERT INTO ${main}"PurchaseChange" ("workspaceId", "code", "entry", "state")
    SELECT d."workspaceId", d."code", ${entry}, d."state" FROM planned_purchase p
    JOIN ${main}"Purchase" d ON d."workspaceId" = p."workspaceId" AND d."code" = p."code"
    WHERE d."createdEntry" = ${entry}`

/** Writes what is new or changed; inside the transaction that holds the write lock. `entry` is the number of its audit entry. */
export function* copyStaged(
  dialect: Dialect,
  upserts: Upserts,
  { counts, entry }: { counts: ImportCounts; entry: number },
): SqlSteps<void> {
  for (const type of recordTypes) {
    const { created, updated } = counts[type]
    if (type === 'purchase' && created) yield* resolveWorkspaces(dialect)
    if (type === 'purchase' && updated) yield recordStates(dialect, entry)
    // Updates first: afterwards what was created would be looked at as well.
    if (updated) yield update(dialect, type, upserts[type])
    if (created) yield* createMany(dialect, type, upserts[type], { created, entry })
    if (type === 'api_key' && created + updated) yield* bind(dialect)
  }
}
