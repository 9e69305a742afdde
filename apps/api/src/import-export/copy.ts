import type { Sql } from '../db/sql.ts'
import { type ImportCounts, noCounts } from '../domain/imports.ts'
import type { RecordType } from '../records/tables.ts'
import type { Dialect } from './dialect.ts'
import { findSoldItems } from './rules.ts'
import { type Staged, selectEach, stagedTypes } from './staged.ts'
import type { PlannedUpsert } from './upserts.ts'

/** What writing the staged records would do. */
export interface ImportPlan {
  counts: ImportCounts
  /** The workspace that all of it is about, if that is stored: what is new or changed are its items, purchases and keys. */
  workspaceId: number | undefined
}

/** The types of records that are about a workspace. */
export const ofWorkspaces: ReadonlySet<RecordType> = new Set(['item', 'api_key', 'purchase'])

const createPlan = ({ upserts }: Staged, type: RecordType) => {
  const workspaceId = ofWorkspaces.has(type) ? '"workspaceId"' : 'CAST(NULL AS integer)'
  const written = 'FILTER (WHERE "created" OR "changed")'
  return `SELECT count(*) AS "total", count(*) FILTER (WHERE "created") AS "created",
    count(*) FILTER (WHERE "changed") AS "updated",
    min(${workspaceId}) ${written} AS "first", max(${workspaceId}) ${written} AS "last" FROM (${upserts[type].planned}) p`
}

interface PlannedType {
  total: number
  created: number
  updated: number
  first: number | null
  last: number | null
}

export async function planImport(sql: Sql, staged: Staged): Promise<ImportPlan> {
  const counts = noCounts()
  const workspaces = new Set<number | null>()
  const types = stagedTypes(staged)
  const queries = types.map((type) => createPlan(staged, type))
  await selectEach<PlannedType>(sql, queries, (rows, index) => {
    const type = types[index]
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

const plannedValue = ({ json }: Dialect, upsert: PlannedUpsert, name: string) =>
  upsert.json.has(name) ? json(`p."${name}"`) : `p."${name}"`

function update(dialect: Dialect, upsert: PlannedUpsert): string {
  const { table, identity, changing, planned } = upsert
  const assignments = Object.keys(changing).map(
    (name) => `"${name}" = ${plannedValue(dialect, upsert, name)}`,
  )
  const same = identity.map((name) => `t."${name}" = p."${name}"`)
  return `UPDATE ${dialect.main}"${table}" AS t SET ${assignments.join(', ')} FROM (${planned}) p
    WHERE p."changed" AND ${same.join(' AND ')}`
}

function insert(
  dialect: Dialect,
  upsert: PlannedUpsert,
  more: Readonly<Record<string, string>> = {},
): string {
  const { table, identity, fixed, changing, planned } = upsert
  const names = Object.keys({ ...fixed, ...changing })
  const columns = [...names, ...Object.keys(more)].map((name) => `"${name}"`)
  const values = [...names.map((name) => plannedValue(dialect, upsert, name)), ...Object.values(more)]
  // In the order of the table's key, so that its index grows at its end.
  return `INSERT INTO ${dialect.main}"${table}" (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM (${planned}) p
    WHERE p."created" ORDER BY ${identity.map((name) => `p."${name}"`).join(', ')}`
}

/** Binds keys to the items that they were given; after the keys are written. */
async function addKeyItems(sql: Sql, { main, staging, elements }: Dialect) {
  const keys = `${staging}api_key s JOIN ${main}"ApiKey" k ON k."keyHash" = s."keyHash"`
  const bound = `${keys} CROSS JOIN ${elements('s."items"')}`
  await sql.run(`DELETE FROM ${main}"ApiKeyItem" WHERE ("workspaceId", "keyId") IN
      (SELECT k."workspaceId", k."id" FROM ${keys} WHERE s."items" IS NOT NULL)
    AND "itemId" NOT IN (SELECT CAST(e.value AS bigint) FROM ${bound} WHERE k."id" = "ApiKeyItem"."keyId")`)
  await sql.run(`INSERT INTO ${main}"ApiKeyItem" ("workspaceId", "keyId", "itemId")
    SELECT k."workspaceId", k."id", CAST(e.value AS bigint) FROM ${bound} WHERE TRUE ON CONFLICT DO NOTHING`)
}

/** The number of the audit entry of an import. */
const entryParameter = 'CAST($1 AS integer)'

const recordChanges = ({ main, upserts }: Staged, state: string, condition: string) =>
  `INSERT INTO ${main}"PurchaseChange" ("workspaceId", "code", "entry", "state")
    SELECT d."workspaceId", d."code", ${entryParameter}, ${state} FROM (${upserts.purchase.planned}) p
    JOIN ${main}"Purchase" d ON d."workspaceId" = p."workspaceId" AND d."code" = p."code" WHERE ${condition}`

/** Records which purchases get another state; before they get it. */
const recordStates = (staged: Staged) =>
  recordChanges(staged, 'p."state"', 'p."changed" AND d."state" <> p."state"')

/** Records that the purchase was recorded by hand; after it is written. The number of its audit entry is `$1`. */
export const recordManually = (staged: Staged) =>
  recordChanges(staged, 'd."state"', `d."createdEntry" = ${entryParameter}`)

/** Writes what is new or changed; inside the transaction that holds the write lock. `entry` is the number of its audit entry. */
export async function copyStaged(sql: Sql, staged: Staged, counts: ImportCounts, entry: number) {
  for (const type of stagedTypes(staged)) {
    const { created, updated } = counts[type]
    const upsert = staged.upserts[type]
    const isPurchase = type === 'purchase'
    if (isPurchase && created && counts.workspace.created) await findSoldItems(sql, staged)
    if (isPurchase && updated) await sql.run(recordStates(staged), entry)
    // Updates first: afterwards what was created would be looked at as well.
    if (updated) await sql.run(update(staged, upsert))
    if (created && isPurchase) await sql.run(insert(staged, upsert, { createdEntry: entryParameter }), entry)
    else if (created) await sql.run(insert(staged, upsert))
    if (type === 'api_key' && created + updated) await addKeyItems(sql, staged)
  }
}
