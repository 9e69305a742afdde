import { createHmac, hash } from 'node:crypto'
import type { ActivityAction } from '@saleproof/schema/console'
import { sqliteDateTime } from '../records/sqlite-datetime.ts'

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
interface StoredEvent {
  /** What others refer to it by. */
  number: number
  at: Date
  action: string
  actor: string
  workspaceId: string | null
  subject: string | null
}

/** An entry as it is read: an attacker may have written anything. */
export interface ReadEntry extends Omit<StoredEvent, 'at'> {
  at: unknown
  /** The place in the chain, from 1 on or from the first that retention left, without a gap; null until it is joined. */
  position: number | null
  /** The hash of the entry before; of the first an empty text. */
  previousHash: string
  /** Until it is joined an HMAC of the event. */
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
  /** Whether entries are joined to the chain after the transaction that adds them: until it ends, that would lock the end of the chain. */
  joinsLater?: boolean | undefined
}

/** Different for different values: JSON distinguishes lengths, quotes and null. */
const canonical = (...values: readonly (string | number | null)[]) => JSON.stringify(values)

const authenticate = ({ auditKey }: AuditSealer, text: string) =>
  createHmac('sha256', auditKey).update(text).digest('base64url')

/** A timestamp as it was written; undefined in any other format. */
export function readTimestamp(value: unknown): Date | undefined {
  if (value instanceof Date) return value
  const date = new Date(String(value))
  return !Number.isNaN(date.getTime()) && sqliteDateTime(date) === value ? date : undefined
}

const valuesOf = ({ number, at, action, actor, workspaceId, subject }: StoredEvent) =>
  [number, at.toISOString(), action, actor, workspaceId, subject] as const

/** The hash of an entry in the chain; undefined where its timestamp is none. */
export function hashEntry({ at, ...entry }: Omit<ReadEntry, 'hash' | 'position'>): string | undefined {
  const timestamp = readTimestamp(at)
  if (!timestamp) return undefined
  const text = canonical('entry', ...valuesOf({ ...entry, at: timestamp }), entry.previousHash)
  return hash('sha256', text, 'base64url')
}

/** Authenticates an entry until it is joined. */
export const macOf = (event: StoredEvent, home: AuditHome | undefined, sealer: AuditSealer) =>
  authenticate(sealer, canonical('unjoined', home?.createdAt.toISOString() ?? null, ...valuesOf(event)))

/** Whether an entry that is not joined yet is as it was recorded. */
export function isAuthentic({ at, ...entry }: ReadEntry, home: AuditHome | undefined, sealer: AuditSealer) {
  const timestamp = readTimestamp(at)
  return timestamp !== undefined && entry.hash === macOf({ ...entry, at: timestamp }, home, sealer)
}

export const sealHead = (head: Omit<AuditHead, 'seal'>, { createdAt }: AuditHome, sealer: AuditSealer) =>
  authenticate(sealer, canonical('head', createdAt.toISOString(), head.identity, head.count, head.hash))

export const isGenuine = (head: AuditHead, home: AuditHome, sealer: AuditSealer) =>
  head.seal === sealHead(head, home, sealer)

/** Identifies a purchase only to a holder of the secret who knows its code. */
export const purchaseSubject = (sealer: AuditSealer, workspaceId: string, code: string) =>
  authenticate(sealer, canonical('purchase', workspaceId, code))
