import type { Database } from '../db/database.ts'

export interface ListedEntry {
  number: number
  at: string
  action: string
  actor: string
  workspace: string | null
  workspace_id: number | null
  subject: string | null
  /** The current name of the key or account. */
  name: string | null
}

const query = `SELECT e.number, e.at, e.action, e.actor, w.slug AS workspace, e."workspaceId" AS workspace_id, e.subject,
    coalesce(a.username, k.name) AS name
  FROM "AuditEntry" e LEFT JOIN "Workspace" w ON w.id = e."workspaceId"
    LEFT JOIN "Account" a ON a.id = e.subject LEFT JOIN "ApiKey" k ON k.id = e.subject
  WHERE e.number < $1 ORDER BY e.number DESC LIMIT $2`

const largestNumber = 2 ** 31 - 1

/** The newest entries, or those before one, the newest last. */
export async function listAudit(
  { read }: Pick<Database, 'read'>,
  { limit, before = largestNumber }: { limit: number; before?: number | undefined },
): Promise<ListedEntry[]> {
  const rows = await read<ListedEntry>(query, before, limit)
  return rows.reverse().map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
}
