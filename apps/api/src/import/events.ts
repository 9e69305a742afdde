import type { AuditEvent } from '../audit/chain.ts'
import type { ImportCounts } from './copy.ts'
import type { StagedDatabase } from './staging.ts'

export type EventOfImport = Omit<AuditEvent, 'at' | 'actor'>

/** How many records of each type were made and changed, such as `purchase 3+1`. */
const summary = (counts: ImportCounts) =>
  Object.entries(counts)
    .filter(([, { created, updated }]) => created + updated > 0)
    .map(([type, { created, updated }]) => `${type} ${created}+${updated}`)
    .join(', ')

const newPasswords = `SELECT p.id AS subject FROM planned_account p JOIN main.Account d ON d.id = p.id
  WHERE p.changed AND d.passwordHash IS NOT p.passwordHash ORDER BY p.line`

const revokedKeys = `SELECT p.id AS subject, p.workspaceId FROM planned_api_key p JOIN main.ApiKey d ON d.id = p.id
  WHERE p.changed AND d.revokedAt IS NULL AND p.revokedAt IS NOT NULL ORDER BY p.line`

// A key that was stored before has kept its id.
const madeKeys = `SELECT k.id AS subject, k.workspaceId FROM staging.api_key s JOIN main.ApiKey k ON k.id = s.id
  ORDER BY s.line`

function select(db: StagedDatabase, action: AuditEvent['action'], sql: string): EventOfImport[] {
  const rows = db.prepare<[], { subject: string; workspaceId?: string }>(sql).all()
  return rows.map((row) => ({ action, ...row }))
}

/** The import itself, and what each would be recorded of if a command did it. Asked before the copy: then nothing tells of it any more. */
export const plannedEvents = (db: StagedDatabase, counts: ImportCounts): EventOfImport[] => [
  { action: 'import', subject: summary(counts) },
  ...(counts.account.updated ? select(db, 'password.changed', newPasswords) : []),
  ...(counts.api_key.updated ? select(db, 'key.revoked', revokedKeys) : []),
]

/** The keys that an import made. Asked after the copy: before, their workspaces may not be there. */
export const madeEvents = (db: StagedDatabase, counts: ImportCounts): EventOfImport[] =>
  counts.api_key.created ? select(db, 'key.created', madeKeys) : []
