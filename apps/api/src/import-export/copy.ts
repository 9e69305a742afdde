import { type SqlSteps, unread } from '../db/sql-steps.ts'
import type { Count, ImportCounts } from '../domain/imports.ts'
import { byType, type RecordType } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import type { Staged } from './staged.ts'
import type { Upsert, Upserts } from './upserts.ts'

/** What writing the staged records would do. */
export interface ImportPlan {
  counts: ImportCounts
  /** The workspace that all of it is about, if that is stored: what is new or changed are its items, purchases and keys. */
  workspaceId: number | undefined
}

/** The types of records that are about a workspace. */
export const ofWorkspaces: ReadonlySet<RecordType> = new Set(['item', 'api_key', 'purchase'])

const planOf = (type: RecordType) => {
  const workspaceId = ofWorkspaces.has(type) ? '"workspaceId"' : 'CAST(NULL AS integer)'
  const written = 'FILTER (WHERE "created" OR "changed")'
  return `SELECT count(*) AS "total", count(*) FILTER (WHERE "created") AS "created",
    count(*) FILTER (WHERE "changed") AS "updated",
    min(${workspaceId}) ${written} AS "first", max(${workspaceId}) ${written} AS "last" FROM planned_${type}`
}

interface PlannedType {
  total: number
  created: number
  updated: number
  first: number | null
  last: number | null
}

export function* planImport(staged: Staged): SqlSteps<ImportPlan> {
  const counts = byType((): Count => ({ created: 0, updated: 0, unchanged: 0 }))
  const workspaces = new Set<number | null>()
  yield* staged.each<PlannedType>(staged.types.map(planOf), (rows, index) => {
    const type = staged.types[index]
    // Counting gives one row.
    const [planned] = rows
    if (!type || !planned) return
    const { total, created, updated, first, last } = planned
    counts[type] = { created, updated, unchanged: total - created - updated }
    if (created + updated > 0) workspaces.add(first).add(last)
  })
  const [workspaceId] = workspaces
  return { counts, workspaceId: workspaces.size === 1 && workspaceId ? workspaceId : undefined }
}

export const countCreated = (counts: ImportCounts) =>
  Object.values(counts).reduce((sum, { created }) => sum + created, 0)

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

function insert(dialect: Dialect, type: RecordType, upsert: Upsert, entry: string): string {
  const { table, identity, fixed, changing } = upsert
  const names = Object.keys({ ...fixed, ...changing })
  const values = names.map((name) => plannedValue(dialect, upsert, name))
  if (type === 'purchase') {
    names.push('createdEntry')
    values.push(entry)
  }
  // In the order of the table's key, so that its index grows at its end.
  return `INSERT INTO ${dialect.main}"${table}" (${names.map((name) => `"${name}"`).join(', ')})
    SELECT ${values.join(', ')} FROM planned_${type} p
    WHERE p."created" ORDER BY ${identity.map((name) => `p."${name}"`).join(', ')}`
}

/** Binds keys to the items that they were given; after the keys are written. */
function* addKeyItems({ main, staging, reading }: Staged): SqlSteps<void> {
  const keys = `${staging}api_key s JOIN ${main}"ApiKey" k ON k."keyHash" = s."keyHash"`
  const bound = `${keys} JOIN ${staging}bound_item b ON b."line" = s."line"`
  yield unread(
    reading(`DELETE FROM ${main}"ApiKeyItem" WHERE ("workspaceId", "keyId") IN
      (SELECT k."workspaceId", k."id" FROM ${keys} WHERE s."items" IS NOT NULL)
    AND "itemId" NOT IN (SELECT b."itemId" FROM ${bound} WHERE k."id" = "ApiKeyItem"."keyId")`),
  )
  yield unread(
    reading(`INSERT INTO ${main}"ApiKeyItem" ("workspaceId", "keyId", "itemId")
    SELECT k."workspaceId", k."id", b."itemId" FROM ${bound} WHERE TRUE ON CONFLICT DO NOTHING`),
  )
}

/** Records which purchases get another state; before they get it. */
const recordStates = ({ main }: Dialect, entry: string) =>
  `INSERT INTO ${main}"PurchaseChange" ("workspaceId", "code", "entry", "state")
    SELECT d."workspaceId", d."code", ${entry}, p."state" FROM planned_purchase p
    JOIN ${main}"Purchase" d ON d."workspaceId" = p."workspaceId" AND d."code" = p."code"
    WHERE p."changed" AND d."state" <> p."state"`

/** Records that the purchase was recorded by hand; after it is written. */
export const recordManually = ({ main }: Dialect, entry: string) =>
  `INSERT INTO ${main}"PurchaseChange" ("workspaceId", "code", "entry", "state")
    SELECT d."workspaceId", d."code", ${entry}, d."state" FROM planned_purchase p
    JOIN ${main}"Purchase" d ON d."workspaceId" = p."workspaceId" AND d."code" = p."code"
    WHERE d."createdEntry" = ${entry}`

/** Writes what is new or changed; inside the transaction that holds the write lock. `entry` is the expression of the number of its audit entry. */
export function* copyStaged(
  staged: Staged,
  upserts: Upserts,
  { counts, entry }: { counts: ImportCounts; entry: string },
): SqlSteps<void> {
  for (const type of staged.types) {
    const { created, updated } = counts[type]
    if (type === 'purchase' && created) yield* staged.resolveWorkspaces()
    if (type === 'purchase' && updated) yield unread(staged.reading(recordStates(staged, entry)))
    // Updates first: afterwards what was created would be looked at as well.
    if (updated) yield unread(staged.reading(update(staged, type, upserts[type])))
    if (created) yield unread(staged.reading(insert(staged, type, upserts[type], entry)))
    if (type === 'api_key' && created + updated) yield* addKeyItems(staged)
  }
}
