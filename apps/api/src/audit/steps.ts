import { type SqlSteps, select, selectBy, unread } from '../db/sql-steps.ts'
import { sqliteDateTime } from '../records/sqlite-datetime.ts'
import {
  type AuditEvent,
  type AuditHead,
  type AuditHome,
  type AuditSealer,
  hashEntry,
  isAuthentic,
  isGenuine,
  macOf,
  type ReadEntry,
  readTimestamp,
  sealHead,
} from './chain.ts'
import { type NotedEntry, parseNoted } from './check.ts'

// The caller of each of these holds the transaction.

const noHead: AuditHead = { count: 0, hash: '', identity: '', seal: '' }

export function* readHead(): SqlSteps<AuditHead | undefined> {
  const [head] = yield* select<AuditHead>(
    'SELECT "count", "hash", "identity", "seal" FROM "AuditHead" WHERE "id" = 1',
  )
  return head
}

function* writeHead({ count, hash, identity, seal }: AuditHead): SqlSteps<void> {
  const upsert = `INSERT INTO "AuditHead" ("id", "count", "hash", "identity", "seal") VALUES (1, $1, $2, $3, $4)
    ON CONFLICT ("id") DO UPDATE SET "count" = $1, "hash" = $2, "identity" = $3, "seal" = $4`
  yield unread([upsert, count, hash, identity, seal])
}

const toHome = (createdAt: unknown): AuditHome | undefined => {
  const timestamp = readTimestamp(createdAt)
  return timestamp && { createdAt: timestamp }
}

/** When the deployment was made, once it is. */
export function* readHome(): SqlSteps<AuditHome | undefined> {
  const [row] = yield* select<{ createdAt: unknown }>('SELECT "createdAt" FROM "Deployment" WHERE "id" = 1')
  return toHome(row?.createdAt)
}

interface Removal {
  /** The last entry that was removed. */
  removed: NotedEntry
  at: Date
}

/** What retention removed last: the log begins after it. An attacker may have added it, which a check of the chain finds. */
export function* readRemoval(): SqlSteps<Removal | undefined> {
  const [row] = yield* select<{
    at: unknown
    subject: string | null
  }>(`SELECT "at", "subject" FROM "AuditEntry"
    WHERE "workspaceId" IS NULL AND "action" = 'audit.pruned' AND "position" IS NOT NULL
    ORDER BY "number" DESC LIMIT 1`)
  const [removed, at] = [parseNoted(row?.subject ?? ''), readTimestamp(row?.at)]
  return removed && at && { removed, at }
}

/** What the next entry follows on; one statement, because a round trip may take long. */
function* readEnd(): SqlSteps<{ head: AuditHead; lastPosition: number; home: AuditHome | undefined }> {
  const [row] = yield* select<AuditHead & { lastPosition: number; createdAt: unknown }>(`
    SELECT coalesce(h."count", 0) AS "count", coalesce(h."hash", '') AS "hash", coalesce(h."identity", '') AS "identity",
      coalesce(h."seal", '') AS "seal", coalesce((SELECT max("position") FROM "AuditEntry"), 0) AS "lastPosition", d."createdAt"
    FROM (SELECT 1 AS "id") o LEFT JOIN "AuditHead" h ON h."id" = o."id" LEFT JOIN "Deployment" d ON d."id" = o."id"`)
  const { lastPosition, createdAt, count, ...head } = row ?? { ...noHead, lastPosition: 0, createdAt: null }
  // Prisma gives what is computed in SQLite as big integers.
  return {
    head: { ...head, count: Number(count) },
    lastPosition: Number(lastPosition),
    home: toHome(createdAt),
  }
}

export const entryColumns =
  '"number", "at", "action", "actor", "workspaceId", "subject", "previousHash", "hash", "position"'

/** Entries that are not joined yet, after one of them, in the order in which they will be. */
export function unjoinedAfter(last?: ReadEntry): SqlSteps<readonly ReadEntry[]> {
  const from = last ? 'AND "number" > $1' : ''
  return select<ReadEntry>(
    `SELECT ${entryColumns} FROM "AuditEntry" WHERE "position" IS NULL ${from} ORDER BY "number" LIMIT 1000`,
    ...(last ? [last.number] : []),
  )
}

/** Whether entries wait for their place. */
export function* hasUnjoined(): SqlSteps<boolean> {
  const rows = yield* select('SELECT 1 AS "found" FROM "AuditEntry" WHERE "position" IS NULL LIMIT 1')
  return rows.length > 0
}

const join = `UPDATE "AuditEntry" SET "position" = $2, "previousHash" = $3, "hash" = $4 WHERE "number" = $1`

/**
 * Gives the entries that are not joined yet their places after the last one. One joins at a time. A head that is not genuine is never sealed
 * again: events are still recorded, and the tampering is still found. `identity` is that of the deployment from now on.
 */
export function* joinAudit(sealer: AuditSealer, identity?: string): SqlSteps<void> {
  // A write locks the row wherever there are row locks; reading it first would let two processes see the same head.
  yield unread('UPDATE "AuditHead" SET "id" = "id" WHERE "id" = 1')
  const { home, head, lastPosition } = yield* readEnd()
  // Not the head's: an attacker may have added an entry.
  let count = Math.max(head.count, lastPosition)
  let { hash } = head
  for (let page = yield* unjoinedAfter(); page.length; page = yield* unjoinedAfter(page.at(-1)))
    for (const entry of page) {
      const previousHash = hash
      count++
      // No entry has an empty hash: one that was forged before it was joined is found for ever.
      hash = isAuthentic(entry, home, sealer) ? (hashEntry({ ...entry, previousHash }) ?? '') : ''
      yield unread([join, entry.number, count, previousHash, hash])
    }
  const next = { count, hash, identity: identity ?? head.identity }
  const genuine = home !== undefined && isGenuine(head, home, sealer)
  yield* writeHead({ ...next, seal: genuine ? sealHead(next, home, sealer) : '' })
}

// The number may be taken where an attacker has added an entry.
const insert = `INSERT INTO "AuditEntry" ("at", "action", "actor", "workspaceId", "subject", "previousHash", "hash")
  VALUES ($1, $2, $3, $4, $5, '', '') ON CONFLICT ("number") DO NOTHING
  RETURNING "number", (SELECT "createdAt" FROM "Deployment" WHERE "id" = 1) AS "createdAt"`

const authenticate = 'UPDATE "AuditEntry" SET "hash" = $2 WHERE "number" = $1'

function* appendEvent(event: AuditEvent, sealer: AuditSealer): SqlSteps<number> {
  const entry = {
    at: event.at,
    action: event.action,
    // PostgreSQL cannot store lone surrogates.
    actor: event.actor.toWellFormed(),
    workspaceId: event.workspaceId?.toWellFormed() ?? null,
    subject: event.subject?.toWellFormed() ?? null,
  }
  const { at, action, actor, workspaceId, subject } = entry
  let row: { number: number; createdAt: unknown } | undefined
  while (!row)
    [row] = yield* selectBy<{ number: number; createdAt: unknown }>([
      insert,
      sqliteDateTime(at),
      action,
      actor,
      workspaceId,
      subject,
    ])
  const number = Number(row.number)
  yield unread([authenticate, number, macOf({ ...entry, number }, toHome(row.createdAt), sealer)])
  return number
}

/**
 * Records events, and joins them to the chain, or leaves that for later. Returns the number of the first entry. `identity` is that of the
 * deployment from now on.
 */
export function* appendEvents(
  events: readonly AuditEvent[],
  sealer: AuditSealer,
  identity?: string,
): SqlSteps<number> {
  let first: number | undefined
  for (const event of events) {
    const number = yield* appendEvent(event, sealer)
    first ??= number
  }
  if (!sealer.joinsLater) yield* joinAudit(sealer, identity)
  return first ?? 0
}

/**
 * Seals the log of a deployment that has just been inserted. Where there is data already, an attacker has removed the deployment with its
 * log, to have another one begun: that one is never sealed.
 */
export function* beginFirstAudit(identity: string, sealer: AuditSealer): SqlSteps<void> {
  const [data] = yield* select(
    'SELECT 1 AS "found" FROM "Account" UNION ALL SELECT 1 FROM "AuditEntry" LIMIT 1',
  )
  if (!data && (yield* readHead())?.seal === '') yield* beginAudit(identity, sealer)
}

/** Seals an empty log. */
export function* beginAudit(identity: string, sealer: AuditSealer): SqlSteps<void> {
  const home = yield* readHome()
  const head = { ...noHead, identity }
  if (home) yield* writeHead({ ...head, seal: sealHead(head, home, sealer) })
}

interface Resealing {
  /** What sealed the log until now, and what seals it from now on. */
  from: AuditSealer
  to: AuditSealer
}

/** Seals the log again, perhaps with another identity. A log that was tampered with is never sealed again. */
export function* resealAudit({ from, to }: Resealing, identity?: string): SqlSteps<void> {
  const head = (yield* readHead()) ?? noHead
  const home = yield* readHome()
  const next = { ...head, identity: identity ?? head.identity }
  const seal = home && isGenuine(head, home, from) ? sealHead(next, home, to) : head.seal
  yield* writeHead({ ...next, seal })
}

/**
 * Gives a deployment another identity, which its log notes. An instance that knows the one before answers nothing from its next connection
 * on. No other process is connected.
 */
export function* renewIdentity(sealers: Resealing, identity: string): SqlSteps<void> {
  yield* resealAudit(sealers, identity)
  yield ['UPDATE "Deployment" SET "identity" = $1 WHERE "id" = 1', identity]
}
