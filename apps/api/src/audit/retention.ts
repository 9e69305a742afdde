import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { codeOf } from '../db/errors.ts'
import { type SqlSteps, select, unread } from '../db/sql-steps.ts'
import { sqliteDateTime } from '../records/sqlite-datetime.ts'
import { type AuditSealer, isGenuine, type ReadEntry, readTimestamp } from './chain.ts'
import { createChainCheck, formatNoted } from './check.ts'
import { appendEvents, entryColumns, joinAudit, readHead, readHome, readRemoval } from './steps.ts'

const dayMs = 86_400_000
/**
 * How often one day of the log is removed, by all processes together. All old entries at once would be lost to a clock that is briefly
 * months ahead; in this way an hour of such a clock costs the three oldest days.
 */
const pruneEveryMs = 20 * 60_000
/** Where the database is a file, a batch blocks the process for some milliseconds. */
const batchSize = 200
const pauseMs = 20

const startOfDay = (at: Date) => Math.floor(at.getTime() / dayMs) * dayMs

/** The end of the oldest day, once it is over for longer than `days`. */
function* findOldDay(days: number, now: Date): SqlSteps<Date | undefined> {
  const removal = yield* readRemoval()
  if (removal && Math.abs(now.getTime() - removal.at.getTime()) < pruneEveryMs) return undefined
  // An entry of a clock that was ahead says nothing about those after it.
  const [first] = yield* select<{ at: unknown }>(
    'SELECT "at" FROM "AuditEntry" WHERE "at" <= $1 ORDER BY "number" LIMIT 1',
    sqliteDateTime(now),
  )
  const at = readTimestamp(first?.at)
  const end = at && startOfDay(at) + dayMs
  return end !== undefined && end <= startOfDay(now) - days * dayMs ? new Date(end) : undefined
}

/** The log was tampered with, so that it is left as it is. */
class BrokenLogError extends Error {}

const oldest = `SELECT ${entryColumns} FROM "AuditEntry" WHERE "position" IS NOT NULL ORDER BY "position" LIMIT ${batchSize}`
const remove = 'DELETE FROM "AuditEntry" WHERE "position" BETWEEN $1 AND $2'

/** Removes some of the oldest entries, of before `end`, and records it. Returns their number. */
function* removeBatch(end: Date, now: Date, sealer: AuditSealer): SqlSteps<number> {
  yield* joinAudit(sealer)
  const home = yield* readHome()
  const head = yield* readHead()
  if (!home || !head || !isGenuine(head, home, sealer)) throw new BrokenLogError()
  const check = createChainCheck({ sealer, home, removed: (yield* readRemoval())?.removed })
  const before = check.last()
  for (const entry of yield* select<ReadEntry>(oldest)) {
    const at = readTimestamp(entry.at)
    if (at && at >= end && at <= now) break
    if (check.take(entry)) throw new BrokenLogError()
  }
  const last = check.last()
  if (last === before) return 0
  const subject = formatNoted(last)
  const event = { at: now, action: 'audit.pruned', actor: 'service', subject } as const
  yield* appendEvents([event], { auditKey: sealer.auditKey })
  yield unread([remove, before.position + 1, last.position])
  return last.position - before.position
}

type AuditDatabase = Pick<Database, 'transact'> & { vault: AuditSealer }

/** Removes the entries of the oldest day of the log where they are older than `days`. Returns their number. */
export async function pruneAudit(
  { transact, vault }: AuditDatabase,
  days: number,
  now: Date,
): Promise<number> {
  const end = await transact(() => findOldDay(days, now), { readonly: true })
  if (!end) return 0
  let removed = 0
  for (let count = batchSize; count === batchSize; removed += count) {
    if (removed > 0) await sleep(pauseMs)
    count = await transact(() => removeBatch(end, now, vault), { scope: 'audit' })
  }
  return removed
}

interface RetentionOptions {
  database: AuditDatabase
  /** Undefined keeps the log for ever. */
  days: number | undefined
  clock: () => Date
  logger: Logger
}

/** Removes old entries of the audit log while the service runs. */
export function createAuditRetention({ database, days, clock, logger }: RetentionOptions) {
  if (days === undefined) return { close: async () => {} }

  async function prune(keep: number) {
    try {
      const removed = await pruneAudit(database, keep, clock())
      if (removed > 0) logger.info({ removed }, 'old entries of the audit log were removed')
    } catch (error) {
      if (error instanceof BrokenLogError)
        logger.error(
          'the audit log is broken, so that nothing is removed from it: run "saleproof audit verify"',
        )
      else
        logger.warn(
          { cause: { code: codeOf(error) || undefined } },
          'old audit entries were not removed, will retry',
        )
    }
  }

  let pruned = Promise.resolve()
  const timer = setInterval(() => {
    pruned = pruned.then(() => prune(days))
  }, pruneEveryMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await pruned
    },
  }
}
