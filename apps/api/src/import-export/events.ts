import { type AuditEvent, type AuditSealer, purchaseSubject } from '../audit/chain.ts'
import { type SqlSteps, select } from '../db/sql-steps.ts'
import type { ImportCounts } from './copy.ts'
import type { Dialect } from './dialect.ts'

export type ImportEvent = Omit<AuditEvent, 'at' | 'actor'>

/** How many records of each type were made and changed, such as `purchase 3+1`. */
const summary = (counts: ImportCounts) =>
  Object.entries(counts)
    .filter(([, { created, updated }]) => created + updated > 0)
    .map(([type, { created, updated }]) => `${type} ${created}+${updated}`)
    .join(', ')

const newPasswords = ({ main }: Dialect) => `SELECT p."id" AS "subject"
  FROM planned_account p JOIN ${main}"Account" d ON d."id" = p."id"
  WHERE p."changed" AND d."passwordHash" IS DISTINCT FROM p."passwordHash" ORDER BY p."line"`

const revokedKeys = ({ main }: Dialect) => `SELECT p."id" AS "subject", p."workspaceId"
  FROM planned_api_key p JOIN ${main}"ApiKey" d ON d."id" = p."id"
  WHERE p."changed" AND d."revokedAt" IS NULL AND p."revokedAt" IS NOT NULL ORDER BY p."line"`

// A key that was stored before has kept its id.
const madeKeys = ({ main, staging }: Dialect) => `SELECT k."id" AS "subject", k."workspaceId"
  FROM ${staging}api_key s JOIN ${main}"ApiKey" k ON k."id" = s."id" ORDER BY s."line"`

function* eventsOf(action: AuditEvent['action'], sql: string): SqlSteps<ImportEvent[]> {
  const rows = yield* select<{ subject: string; workspaceId?: string }>(sql)
  return rows.map((row) => ({ action, ...row }))
}

interface PlannedImport {
  dialect: Dialect
  counts: ImportCounts
  vault: AuditSealer
  byHand?: boolean | undefined
}

/** The one purchase that is recorded by hand. */
function* recordedPurchase({ vault }: PlannedImport): SqlSteps<ImportEvent | undefined> {
  const [row] = yield* select<{ workspaceId: string; code: string }>(
    'SELECT "workspaceId", "code" FROM planned_purchase WHERE "created"',
  )
  if (!row) return undefined
  const { workspaceId, code } = row
  return { action: 'purchase.created', workspaceId, subject: purchaseSubject(vault, workspaceId, code) }
}

const changed = ({ created, updated }: ImportCounts[keyof ImportCounts]) => created + updated > 0

/** The workspace that an import is about: all that is new or changed are its items, purchases and keys. */
function* onlyWorkspace({ counts }: PlannedImport): SqlSteps<string | undefined> {
  if (changed(counts.account) || changed(counts.workspace)) return undefined
  const found = new Set<string | null>()
  for (const type of ['item', 'purchase', 'api_key'] as const) {
    if (!changed(counts[type])) continue
    const [row] = yield* select<{ first: string | null; last: string | null }>(
      `SELECT min("workspaceId") AS "first", max("workspaceId") AS "last"
       FROM planned_${type} WHERE "created" OR "changed"`,
    )
    if (row) found.add(row.first).add(row.last)
  }
  const [id] = found
  return found.size === 1 && id ? id : undefined
}

/** The import itself, and the events that a command would record for each change. Read before the copy, which removes the difference. */
export function* plannedEvents(planned: PlannedImport): SqlSteps<ImportEvent[]> {
  const { dialect, counts, byHand } = planned
  const recorded = byHand ? yield* recordedPurchase(planned) : undefined
  return [
    recorded ?? { action: 'import', workspaceId: yield* onlyWorkspace(planned), subject: summary(counts) },
    ...(counts.account.updated ? yield* eventsOf('password.changed', newPasswords(dialect)) : []),
    ...(counts.api_key.updated ? yield* eventsOf('key.revoked', revokedKeys(dialect)) : []),
  ]
}

/** The keys that an import created. Read after the copy: before it, their workspaces may not exist. */
export function* madeEvents(dialect: Dialect, counts: ImportCounts): SqlSteps<ImportEvent[]> {
  return counts.api_key.created ? yield* eventsOf('key.created', madeKeys(dialect)) : []
}
