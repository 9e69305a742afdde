import type { Sql } from '../db/sql.ts'
import type { AuditEvent } from '../domain/audit-log.ts'
import type { ImportCounts, SalesOptions } from '../domain/imports.ts'
import type { ImportPlan } from './copy.ts'
import type { Staged } from './staged.ts'

export type ImportEvent = Omit<AuditEvent, 'at' | 'actor'>

/** How many records of each type were made and changed, such as `purchase 3+1`. */
const summary = (counts: ImportCounts) =>
  Object.entries(counts)
    .filter(([, { created, updated }]) => created + updated > 0)
    .map(([type, { created, updated }]) => `${type} ${created}+${updated}`)
    .join(', ')

type Shop = Pick<SalesOptions, 'file' | 'profile'>

/** The file of a shop, without characters that mean something elsewhere, and whose it is. */
const fromFile = ({ file, profile }: Shop) =>
  ` from ${profile} ${file.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 80)}`

const newPasswords = ({ main, upserts }: Staged) => `SELECT p."id" AS "subject"
  FROM (${upserts.account.planned}) p JOIN ${main}"Account" d ON d."id" = p."id"
  WHERE p."changed" AND d."passwordHash" IS DISTINCT FROM p."passwordHash" ORDER BY p."line"`

const revokedKeys = ({ main, upserts }: Staged) => `SELECT p."id" AS "subject", p."workspaceId"
  FROM (${upserts.api_key.planned}) p JOIN ${main}"ApiKey" d ON d."id" = p."id"
  WHERE p."changed" AND d."revokedAt" IS NULL AND p."revokedAt" IS NOT NULL ORDER BY p."line"`

// A key that was stored before has kept its id.
const madeKeys = ({ main, staging }: Staged) => `SELECT k."id" AS "subject", k."workspaceId"
  FROM ${staging}api_key s JOIN ${main}"ApiKey" k ON k."id" = s."id" ORDER BY s."line"`

async function readEvents(sql: Sql, action: AuditEvent['action'], query: string): Promise<ImportEvent[]> {
  const rows = await sql.query<{ subject: string; workspaceId?: number }>(query)
  return rows.map((row) => ({ action, ...row }))
}

/** The one purchase that is recorded by hand. */
export async function recordedPurchase(sql: Sql, { upserts }: Staged): Promise<ImportEvent | undefined> {
  const [row] = await sql.query<{ workspaceId: number; itemId: number }>(
    `SELECT p."workspaceId", p."itemId" FROM (${upserts.purchase.planned}) p WHERE p."created"`,
  )
  return row && { action: 'purchase.created', workspaceId: row.workspaceId, subject: String(row.itemId) }
}

export const importEvent = ({ counts, workspaceId }: ImportPlan, shop?: Shop): ImportEvent => ({
  action: 'import',
  workspaceId,
  subject: summary(counts) + (shop ? fromFile(shop) : ''),
})

/** What a command would record for each change. Read before the copy, which removes the difference. */
export const changeEvents = async (sql: Sql, staged: Staged, { account, api_key }: ImportCounts) => [
  ...(account.updated ? await readEvents(sql, 'password.changed', newPasswords(staged)) : []),
  ...(api_key.updated ? await readEvents(sql, 'key.revoked', revokedKeys(staged)) : []),
]

/** Read after the copy: before it, the workspaces of the keys may not exist. */
export const keyEvents = (sql: Sql, staged: Staged) => readEvents(sql, 'key.created', madeKeys(staged))
