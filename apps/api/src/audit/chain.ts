import { createHmac, hash } from 'node:crypto'
import type { ActivityAction } from '@saleproof/schema/console'

/** The console has a sentence for each, except for what retention removed: it would say so every day. */
export type AuditAction = ActivityAction | 'audit.pruned'

/** Kept for years: it must not contain a key, code, address or name of a person. */
export interface AuditEvent {
  at: Date
  action: AuditAction
  /** `cli`, `admin-import`, `service` or `console:` with the id of an account. */
  actor: string
  workspaceId?: string | undefined
  /** The id of a key, account or item; for a purchase, its `purchaseSubject`; number and hash of the last entry that was removed. */
  subject?: string | undefined
}

/** An event as it is stored. */
export interface AuditEntry {
  /** From 1 on, or from the first that retention left, without a gap. */
  number: number
  at: Date
  action: string
  actor: string
  workspaceId: string | null
  subject: string | null
  /** The hash of the entry before; of the first an empty text. */
  previousHash: string
  hash: string
}

/** The end of the chain, authenticated by a key that is not in the database. */
export interface AuditHead {
  count: number
  hash: string
  /** The last recorded identity of the deployment: a different one means that a backup was restored since. */
  identity: string
  /** Empty before the first entry, or after the head was tampered with. */
  seal: string
}

/** Never changes: a log that was moved to another deployment does not match it. */
export interface AuditHome {
  createdAt: Date
}

export interface AuditSealer {
  auditKey: Uint8Array
}

/** Different for different values: JSON distinguishes lengths, quotes and null. */
const canonical = (...values: readonly (string | number | null)[]) => JSON.stringify(values)

const authenticate = ({ auditKey }: AuditSealer, text: string) =>
  createHmac('sha256', auditKey).update(text).digest('base64url')

export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  const { number, at, action, actor, workspaceId, subject, previousHash } = entry
  const text = canonical('entry', number, at.toISOString(), action, actor, workspaceId, subject, previousHash)
  return hash('sha256', text, 'base64url')
}

export const sealHead = (head: Omit<AuditHead, 'seal'>, { createdAt }: AuditHome, sealer: AuditSealer) =>
  authenticate(sealer, canonical('head', createdAt.toISOString(), head.identity, head.count, head.hash))

export const isGenuine = (head: AuditHead, home: AuditHome, sealer: AuditSealer) =>
  head.seal === sealHead(head, home, sealer)

/** Identifies a purchase only to a holder of the secret who knows its code. */
export const purchaseSubject = (sealer: AuditSealer, workspaceId: string, code: string) =>
  authenticate(sealer, canonical('purchase', workspaceId, code))

interface Extension {
  event: AuditEvent
  head: AuditHead
  /** The number of the last entry there is; not the head's, because an attacker may have added one. */
  lastNumber: number
  home: AuditHome | undefined
  sealer: AuditSealer
  /** The identity that the head is to note from now on. */
  identity?: string | undefined
}

/**
 * The entry of an event, and the head after it. A head that is not genuine is never sealed again: events are still recorded, and the
 * tampering is still found.
 */
export function extend({ event, head, lastNumber, home, sealer, identity = head.identity }: Extension) {
  const { at, action, actor, workspaceId, subject } = event
  const unhashed = {
    number: Math.max(head.count, lastNumber) + 1,
    at,
    action,
    // PostgreSQL cannot store lone surrogates.
    actor: actor.toWellFormed(),
    workspaceId: workspaceId?.toWellFormed() ?? null,
    subject: subject?.toWellFormed() ?? null,
    previousHash: head.hash,
  }
  const entry: AuditEntry = { ...unhashed, hash: hashEntry(unhashed) }
  const next = { count: entry.number, hash: entry.hash, identity }
  const genuine = home !== undefined && isGenuine(head, home, sealer)
  return { entry, head: { ...next, seal: genuine ? sealHead(next, home, sealer) : '' } satisfies AuditHead }
}
