import type { ActivityAction } from '@saleproof/schema/console'
import type { Transact } from '../db/database.ts'
import type { Prisma } from '../db/prisma.ts'
import type { Sql } from '../db/sql.ts'

/** Kept for years: it must not contain a key, code, address or name of a person. */
export interface AuditEvent {
  at: Date
  action: ActivityAction
  /** `cli`, `admin-import` or `console:` with the id of an account. */
  actor: string
  workspaceId?: number | undefined
  /** The id of a key, account or item; for a purchase, that of its item. */
  subject?: string | undefined
}

const insert = `INSERT INTO "AuditEntry" ("at", "action", "actor", "workspaceId", "subject")
  VALUES ($1, $2, $3, $4, $5) RETURNING "number"`

/** Records what a transaction does; gives the number of the entry. */
export async function appendAudit(sql: Sql, event: AuditEvent): Promise<number> {
  const { at, action, actor, workspaceId = null, subject = null } = event
  const [row] = await sql.query<{ number: number }>(insert, at, action, actor, workspaceId, subject)
  return Number(row?.number)
}

interface RecorderOptions {
  clock: () => Date
  actor: AuditEvent['actor']
}

/** Records what one actor does, at the time at which it is done. */
export const createRecorder =
  ({ clock, actor }: RecorderOptions) =>
  (sql: Sql, event: Omit<AuditEvent, 'at' | 'actor'>) =>
    appendAudit(sql, { at: clock(), actor, ...event })

export type Recorder = ReturnType<typeof createRecorder>

/** What it takes to change records and to record that. */
export interface Changes {
  prisma: Prisma
  transact: Transact
  clock: () => Date
  record: Recorder
}
