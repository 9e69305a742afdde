import { createHmac, hash } from 'node:crypto'

export type AuditAction =
  | 'key.created'
  | 'key.shown'
  | 'key.revoked'
  | 'import'
  | 'export'
  | 'login'
  | 'login.failed'
  | 'logout'
  | 'password.changed'
  | 'purchase.changed'
  | 'workspace.created'
  | 'workspace.changed'
  | 'account.created'
  | 'account.removed'
  | 'account.changed'
  | 'item.removed'
  | 'backup'
  | 'restore'
  | 'secret.rotated'
  | 'transfer'

/** What is to be recorded. It stays for ever: no key, code, address or name of a person belongs in it. */
export interface AuditEvent {
  at: Date
  action: AuditAction
  /** `cli`, `admin-import` or `console:` with the id of an account. */
  actor: string
  workspaceId?: string | undefined
  /** What it was done to: the id of a key, account or item; of a purchase what `purchaseSubject` gives. */
  subject?: string | undefined
}

/** An event as it is stored. */
export interface AuditEntry {
  /** From 1 on, without a gap. */
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

/** Where the chain ends, authenticated by a key that the database does not hold. */
export interface AuditHead {
  count: number
  hash: string
  /** The identity of the deployment that was noted last: another one means that a backup was restored since. */
  identity: string
  /** Empty before the first entry, or after the head was tampered with. */
  seal: string
}

/** What never changes of a deployment. A log that was moved to another database does not fit it. */
export interface AuditHome {
  createdAt: Date
}

/** Authenticates the head: `KeyVault` is one. */
export interface AuditSealer {
  auditKey: Uint8Array
}

/** One text for each list of values and none for two: JSON itself distinguishes lengths, quotes and absence. */
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

/** A purchase in the log: only a holder of the secret who knows its code can recognise it. */
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
 * The entry that records an event, and the head after it. A head that is not genuine is never made so: what was done goes on being
 * recorded, and the tampering goes on being found.
 */
export function extend({ event, head, lastNumber, home, sealer, identity = head.identity }: Extension) {
  const { at, action, actor, workspaceId, subject } = event
  const unhashed = {
    number: Math.max(head.count, lastNumber) + 1,
    at,
    action,
    // What a database cannot store as it is would not be the same when it is read again.
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
