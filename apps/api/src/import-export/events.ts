import type { SqlSteps } from '../db/sql-steps.ts'
import type { AuditEvent } from '../domain/audit-log.ts'
import type { ImportCounts } from '../domain/imports.ts'
import type { ImportPlan } from './copy.ts'
import type { Dialect } from './dialect.ts'
import { type Staged, selectStaged } from './staged.ts'

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

function* eventsOf(staged: Staged, action: AuditEvent['action'], sql: string): SqlSteps<ImportEvent[]> {
  const rows = yield* selectStaged<{ subject: string; workspaceId?: number }>(staged, sql)
  return rows.map((row) => ({ action, ...row }))
}

interface EventsOptions {
  staged: Staged
  manual?: boolean | undefined
}

/** The one purchase that is recorded by hand. */
function* recordedPurchase({ staged }: EventsOptions): SqlSteps<ImportEvent | undefined> {
  const [row] = yield* selectStaged<{ workspaceId: number; itemId: number }>(
    staged,
    'SELECT "workspaceId", "itemId" FROM planned_purchase WHERE "created"',
  )
  return row && { action: 'purchase.created', workspaceId: row.workspaceId, subject: String(row.itemId) }
}

/** The import itself, and the events that a command would record for each change. Read before the copy, which removes the difference. */
export function* plannedEvents(
  { counts, workspaceId }: ImportPlan,
  options: EventsOptions,
): SqlSteps<[ImportEvent, ...ImportEvent[]]> {
  const { staged, manual } = options
  const recorded = manual ? yield* recordedPurchase(options) : undefined
  return [
    recorded ?? { action: 'import', workspaceId, subject: summary(counts) },
    ...(counts.account.updated ? yield* eventsOf(staged, 'password.changed', newPasswords(staged)) : []),
    ...(counts.api_key.updated ? yield* eventsOf(staged, 'key.revoked', revokedKeys(staged)) : []),
  ]
}

/** The keys that an import created. Read after the copy: before it, their workspaces may not exist. */
export function* madeEvents(staged: Staged, counts: ImportCounts): SqlSteps<ImportEvent[]> {
  return counts.api_key.created ? yield* eventsOf(staged, 'key.created', madeKeys(staged)) : []
}
