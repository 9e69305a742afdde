import type { ErrorCode } from '@saleproof/schema'
import type { Logger } from 'pino'
import type { RequestEvent } from '../observability/observer.ts'
import { type CountRow, createCounts, hourMs, sum } from './counts.ts'
import type { Statistics, StatisticsQuery } from './statistics-tables.ts'
import type { UsageStore } from './usage-store.ts'

interface StatisticsOptions {
  store: () => Pick<UsageStore, 'appendCounts' | 'rollUp' | 'statistics'>
  logger: Logger
  now: () => number
}

/** What a crash loses at most. */
const flushEveryMs = 1000
const foldEveryMs = 60_000
/** 90 days, and what the oldest of them begins with in any time zone. */
const keptHours = 92 * 24

/** Counts validations for their sellers. A validation only ever adds to numbers in memory. */
export function createStatistics({ store, logger, now }: StatisticsOptions) {
  const counts = createCounts()
  let waiting: CountRow[] = []
  let folded = now()
  let told = false

  async function attempt(work: () => void | Promise<void>): Promise<boolean> {
    try {
      await work()
      told = false
      return true
    } catch (error) {
      const { code } = error as { code?: string }
      if (!told)
        logger.warn({ cause: { code } }, 'counts of validations could not be written; it is tried again')
      told = true
      return false
    }
  }

  const oldestHour = () => Math.floor(now() / hourMs) - keptHours
  const fold = () => attempt(() => store().rollUp(oldestHour()))

  async function flush() {
    waiting = waiting.length ? [...waiting, ...counts.take()] : counts.take()
    if (waiting.length === 0) return
    const rows = waiting
    waiting = []
    if (!(await attempt(() => store().appendCounts(rows, now())))) waiting = sum([rows, waiting])
    else if (now() - folded >= foldEveryMs || now() < folded) {
      folded = now()
      await fold()
    }
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  return {
    observe({ operation, workspace, keyId, refusedKey, itemId, code, durationMs }: RequestEvent) {
      if (operation !== 'validatePurchase') return
      const workspaceId = workspace ?? refusedKey?.workspaceId
      const usedKey = keyId ?? refusedKey?.keyId
      // Nobody knows whose validation it was meant to be.
      if (workspaceId === undefined || usedKey === undefined) return
      // An operation fails with no code of the console's.
      const reason = code as ErrorCode | null
      counts.add(
        { workspaceId, keyId: usedKey, itemId, code: reason, durationMs },
        Math.floor(now() / hourMs),
      )
    },
    /** What is written of a workspace. */
    async read(query: StatisticsQuery): Promise<Statistics> {
      await fold()
      return store().statistics(query)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

export type UsageStatistics = ReturnType<typeof createStatistics>
