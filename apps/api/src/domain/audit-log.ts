import type { ActivityAction } from '@saleproof/schema/console'
import type { Prisma, Write } from '../db/prisma.ts'
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

/** What an append needs of a transaction, with Prisma or without it. */
type AuditTransaction = Pick<Sql, '$queryRaw'>

/** Records what a transaction does; gives the number of the entry. */
export async function appendAudit(tx: AuditTransaction, event: AuditEvent): Promise<number> {
  const { at, action, actor, workspaceId = null, subject = null } = event
  const [row] = await tx.$queryRaw<{ number: number | bigint }[]>`
    INSERT INTO "AuditEntry" ("at", "action", "actor", "workspaceId", "subject")
    VALUES (${at}, ${action}, ${actor}, ${workspaceId}, ${subject}) RETURNING "number"`
  return Number(row?.number)
}

interface RecorderOptions {
  clock: () => Date
  actor: AuditEvent['actor']
}

/** Records what one actor does, at the time at which it is done. */
export const createRecorder =
  ({ clock, actor }: RecorderOptions) =>
  (tx: AuditTransaction, event: Omit<AuditEvent, 'at' | 'actor'>) =>
    appendAudit(tx, { at: clock(), actor, ...event })

export type Recorder = ReturnType<typeof createRecorder>

/** What it takes to change records and to record that. */
export interface Changes {
  prisma: Prisma
  write: Write
  clock: () => Date
  record: Recorder
}
