import type { Database } from '../db/database.ts'

interface ListedRow {
  number: number
  at: string
  action: string
  actor: string
  workspaceId: number | null
  subject: string | null
  slug: string | null
  username: string | null
  keyName: string | null
}

const present = (row: ListedRow) => ({
  number: row.number,
  at: new Date(row.at).toISOString(),
  action: row.action,
  actor: row.actor,
  workspace: row.slug,
  workspace_id: row.workspaceId,
  subject: row.subject,
  /** The current name of the key or account. */
  name: row.username ?? row.keyName,
})

export type ListedEntry = ReturnType<typeof present>

const query = `SELECT e.number, e.at, e.action, e.actor, e."workspaceId", e.subject, w.slug, a.username, k.name AS "keyName"
  FROM "AuditEntry" e LEFT JOIN "Workspace" w ON w.id = e."workspaceId"
    LEFT JOIN "Account" a ON a.id = e.subject LEFT JOIN "ApiKey" k ON k.id = e.subject`

/** The newest entries, or those before one, the newest last. */
export async function listAudit(
  { read }: Pick<Database, 'read'>,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<ListedEntry[]> {
  const earlier = before === undefined ? '' : `WHERE e.number < ${before}`
  const rows = await read<ListedRow>(`${query} ${earlier} ORDER BY e.number DESC LIMIT $1`, limit)
  return rows.reverse().map(present)
}
