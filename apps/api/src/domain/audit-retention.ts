import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { readErrorCode } from '../db/errors.ts'

const dayMs = 86_400_000
/**
 * How often a process removes one day of the log. All old entries at once would be lost to a clock that is briefly months ahead.
 */
const pruneEveryMs = 20 * 60_000

const startOfDay = (time: number) => Math.floor(time / dayMs) * dayMs

type AuditDatabase = Pick<Database, 'prisma' | 'transact'>

/** Removes the entries of the oldest day of the log where they are older than `days`. Returns their number. */
export async function pruneAudit(database: AuditDatabase, days: number, now: Date): Promise<number> {
  const oldest = await database.prisma.auditEntry.findFirst({ orderBy: { at: 'asc' }, select: { at: true } })
  const end = oldest && startOfDay(oldest.at.getTime()) + dayMs
  if (end === null || end > startOfDay(now.getTime()) - days * dayMs) return 0
  const where = { at: { lt: new Date(end) } }
  return database.transact(async (tx) => (await tx.auditEntry.deleteMany({ where })).count, 'audit')
}

interface RetentionOptions {
  database: AuditDatabase
  /** Undefined keeps the log. */
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
      logger.warn(
        { cause: { code: readErrorCode(error) || undefined } },
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
