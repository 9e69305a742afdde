import type { Prisma } from '../db/prisma.ts'
import { type AuditEvent, type AuditSealer, extend } from './chain.ts'

export type { AuditAction, AuditEvent } from './chain.ts'
export { purchaseSubject } from './chain.ts'

/** What an append needs of a transaction. */
export type AuditTransaction = Pick<Prisma, 'auditEntry' | 'auditHead' | 'deployment'>

const id = 1

/**
 * Records what a transaction does, as its last statements: the head stays locked until the transaction ends, so that writers in other
 * processes wait for each other here, on any database. Returns the number of the entry.
 */
export async function appendAudit(
  tx: AuditTransaction,
  event: AuditEvent,
  sealer: AuditSealer,
): Promise<number> {
  // A write locks the row wherever there are row locks; reading it first would let two writers see the same head.
  const locked = await tx.auditHead.upsert({
    where: { id },
    create: { id, count: 1, hash: '', identity: '', seal: '' },
    update: { count: { increment: 1 } },
  })
  const last = await tx.auditEntry.findFirst({ orderBy: { number: 'desc' }, select: { number: true } })
  const home = await tx.deployment.findUnique({ where: { id }, select: { createdAt: true } })
  const { entry, head } = extend({
    event,
    head: { ...locked, count: locked.count - 1 },
    lastNumber: last?.number ?? 0,
    home: home ?? undefined,
    sealer,
  })
  await tx.auditEntry.create({ data: entry, select: { number: true } })
  await tx.auditHead.update({ where: { id }, data: head, select: { id: true } })
  return entry.number
}

interface RecorderOptions {
  vault: AuditSealer
  clock: () => Date
  /** `cli`, `admin-import` or `console:` with the id of an account. */
  actor: string
}

/** Records what one actor does, at the time at which it is done. */
export const createRecorder =
  ({ vault, clock, actor }: RecorderOptions) =>
  (tx: AuditTransaction, event: Omit<AuditEvent, 'at' | 'actor'>) =>
    appendAudit(tx, { at: clock(), actor, ...event }, vault)

export type Recorder = ReturnType<typeof createRecorder>
