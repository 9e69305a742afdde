import { type RecordType, recordTypes } from './records.ts'
import { findHomes } from './rules.ts'
import type { StagedDatabase } from './staging.ts'
import { targets } from './targets.ts'

export interface Count {
  created: number
  updated: number
  unchanged: number
}

/** What an import did, or with `dryRun` would have done, by type of record. */
export type ImportCounts = Record<RecordType, Count>

/** What writing the staged records would do. */
export function countChanges(db: StagedDatabase): ImportCounts {
  const count = (type: RecordType): Count => {
    const row = db
      .prepare<[], { total: number; created: number; updated: number }>(
        `SELECT count(*) AS total, coalesce(sum(created), 0) AS created, coalesce(sum(changed), 0) AS updated
          FROM planned_${type}`,
      )
      .get()
    const { total, created, updated } = row ?? { total: 0, created: 0, updated: 0 }
    return { created, updated, unchanged: total - created - updated }
  }
  return {
    account: count('account'),
    workspace: count('workspace'),
    item: count('item'),
    api_key: count('api_key'),
    purchase: count('purchase'),
  }
}

export const changesNothing = (counts: ImportCounts) =>
  Object.values(counts).every(({ created, updated }) => created + updated === 0)

function update(db: StagedDatabase, type: RecordType) {
  const { table, identity, changing } = targets[type]
  const assignments = Object.keys(changing).map((name) => `${name} = p.${name}`)
  const same = identity.map((name) => `t.${name} = p.${name}`)
  db.exec(`UPDATE main.${table} AS t SET ${assignments.join(', ')} FROM planned_${type} p
    WHERE p.changed AND ${same.join(' AND ')}`)
}

function create(db: StagedDatabase, type: RecordType) {
  const { table, identity, fixed, changing } = targets[type]
  const names = Object.keys({ ...fixed, ...changing }).join(', ')
  // In the order of the table's key, so that its index grows at its end.
  db.exec(`INSERT INTO main.${table} (${names}) SELECT ${names} FROM planned_${type}
    WHERE created ORDER BY ${identity.join(', ')}`)
}

/** Binds keys to the items that they were given; after the keys are written. */
function bind(db: StagedDatabase) {
  const keys = 'staging.api_key s JOIN main.ApiKey k ON k.keyHash = s.keyHash'
  db.exec(`DELETE FROM main.ApiKeyItem WHERE (workspaceId, keyId) IN
      (SELECT k.workspaceId, k.id FROM ${keys} WHERE s.items IS NOT NULL)
    AND itemId NOT IN (SELECT b.itemId FROM ${keys} JOIN staging.bound_item b ON b.line = s.line
      WHERE k.id = ApiKeyItem.keyId)`)
  db.exec(`INSERT OR IGNORE INTO main.ApiKeyItem (workspaceId, keyId, itemId)
    SELECT k.workspaceId, k.id, b.itemId FROM ${keys} JOIN staging.bound_item b ON b.line = s.line`)
}

/** Writes what is new or changed; inside the transaction that holds the write lock. */
export function copyStaged(db: StagedDatabase, counts: ImportCounts) {
  for (const type of recordTypes) {
    const { created, updated } = counts[type]
    if (type === 'purchase' && created) findHomes(db)
    // Updates first: afterwards what was created would be looked at as well.
    if (updated) update(db, type)
    if (created) create(db, type)
    if (type === 'api_key' && created + updated) bind(db)
  }
}
