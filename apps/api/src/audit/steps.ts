import { type SqlSteps, select, unread } from '../db/sql-steps.ts'
import { sqliteDateTime } from '../records/sqlite-datetime.ts'
import {
  type AuditEvent,
  type AuditHead,
  type AuditHome,
  type AuditSealer,
  extend,
  isGenuine,
  sealHead,
} from './chain.ts'
import { type NotedEntry, parseNoted, readTimestamp } from './check.ts'

// The caller of each of these holds the transaction and its write lock.

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

/** When the deployment was made, once it is. */
export function* readHome(): SqlSteps<AuditHome | undefined> {
  const [row] = yield* select<{ createdAt: string }>('SELECT "createdAt" FROM "Deployment" WHERE "id" = 1')
  return row && { createdAt: new Date(row.createdAt) }
}

interface Removal {
  /** The last entry that was removed. */
  removed: NotedEntry
  at: Date
}

/** What retention removed last: the log begins after it. An attacker may have added it, which whoever follows the chain finds. */
export function* readRemoval(): SqlSteps<Removal | undefined> {
  const [row] = yield* select<{
    at: unknown
    subject: string | null
  }>(`SELECT "at", "subject" FROM "AuditEntry"
    WHERE "workspaceId" IS NULL AND "action" = 'audit.pruned' ORDER BY "number" DESC LIMIT 1`)
  const [removed, at] = [parseNoted(row?.subject ?? ''), readTimestamp(row?.at)]
  return removed && at && { removed, at }
}

/** What the next entry follows on; one statement, because a round trip may take long. */
function* readEnd(): SqlSteps<{ head: AuditHead; lastNumber: number; home: AuditHome | undefined }> {
  const [row] = yield* select<AuditHead & { lastNumber: number; createdAt: string | null }>(`
    SELECT coalesce(h."count", 0) AS "count", coalesce(h."hash", '') AS "hash", coalesce(h."identity", '') AS "identity",
      coalesce(h."seal", '') AS "seal", coalesce((SELECT max("number") FROM "AuditEntry"), 0) AS "lastNumber", d."createdAt"
    FROM (SELECT 1 AS "id") o LEFT JOIN "AuditHead" h ON h."id" = o."id" LEFT JOIN "Deployment" d ON d."id" = o."id"`)
  const { lastNumber, createdAt, ...head } = row ?? { ...noHead, lastNumber: 0, createdAt: null }
  return { head, lastNumber, home: createdAt === null ? undefined : { createdAt: new Date(createdAt) } }
}

const insert = `INSERT INTO "AuditEntry"
  ("number", "at", "action", "actor", "workspaceId", "subject", "previousHash", "hash")
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

/**
 * `appendAudit` for several events at once, without Prisma. Returns the number of the first entry. `identity` is that of the deployment
 * from now on.
 */
export function* appendEvents(
  events: readonly AuditEvent[],
  sealer: AuditSealer,
  identity?: string,
): SqlSteps<number> {
  const { home, ...end } = yield* readEnd()
  let state = end
  const first = Math.max(state.head.count, state.lastNumber) + 1
  for (const event of events) {
    const { entry, head } = extend({ ...state, event, home, sealer, identity })
    const { number, at, action, actor, workspaceId, subject, previousHash, hash } = entry
    yield unread([
      insert,
      number,
      sqliteDateTime(at),
      action,
      actor,
      workspaceId,
      subject,
      previousHash,
      hash,
    ])
    state = { head, lastNumber: number }
  }
  yield* writeHead(state.head)
  return first
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
