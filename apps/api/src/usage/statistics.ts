import { isErrorCode } from '@saleproof/schema/constants'
import type { Logger } from 'pino'
import type { RequestEvent } from '../http/request-event.ts'
import { createBufferedWriter } from './buffered-writer.ts'
import { type CountRow, createCounts, hourMs, sum } from './counts.ts'
import type { Statistics, StatisticsQuery, UsageStore } from './usage-store.ts'

interface StatisticsOptions {
  store: () => Pick<UsageStore, 'appendCounts' | 'rollUp' | 'prune' | 'statistics'>
  logger: Logger
  now: () => number
}

/** A crash loses at most this much. */
const flushEveryMs = 1000
/** Items whose counts each flush writes. Those of more wait, and are summed meanwhile: each row costs some 20 µs when it is rolled up. */
const itemsAtOnce = 500
const rollUpEveryMs = 60_000
/** 90 days, and the start of the oldest of them in any time zone. */
const keepHours = 92 * 24
/**
 * How often one hour is deleted. All old ones at once would be lost to a clock that is briefly months ahead; in this way an hour of
 * such a clock costs the three oldest hours.
 */
const pruneEveryMs = 20 * 60_000

/** Counts validations for their sellers. A request only adds to numbers in memory. */
export function createStatistics({ store, logger, now }: StatisticsOptions) {
  const counts = createCounts()
  let pending: CountRow[] = []
  let rolledUpAt = now()

  const rollUp = async () => store().rollUp()
  const prune = async () => store().prune(Math.floor(now() / hourMs) - keepHours)

  async function append(rows: readonly CountRow[]) {
    try {
      await store().appendCounts(rows, now())
    } catch (error) {
      pending = sum([rows, pending])
      throw error
    }
  }

  async function write(all: boolean) {
    const rows = [...pending, ...counts.take(all ? Number.POSITIVE_INFINITY : itemsAtOnce)]
    pending = []
    if (rows.length === 0) return
    await append(rows)
    if (now() - rolledUpAt < rollUpEveryMs && now() >= rolledUpAt) return
    rolledUpAt = now()
    await rollUp()
  }

  const failure = 'validation counts could not be written, will retry'
  const writer = createBufferedWriter({ logger, everyMs: flushEveryMs, failure, write })
  const pruning = setInterval(() => writer.attempt(prune), pruneEveryMs).unref()

  return {
    observe({ operation, workspace, keyId, refusedKey, validated, code, durationMs }: RequestEvent) {
      if (operation !== 'validatePurchase') return
      const workspaceId = workspace ?? refusedKey?.workspaceId
      const usedKey = keyId ?? refusedKey?.keyId
      // An unknown key belongs to no workspace.
      if (workspaceId === undefined || usedKey === undefined) return
      // An operation fails with no code of the console's.
      if (code !== null && !isErrorCode(code)) return
      counts.add(
        { workspaceId, keyId: usedKey, itemId: validated?.itemId, code, durationMs },
        Math.floor(now() / hourMs),
      )
    },
    /** Includes what this process counted up to now, and what others wrote: they do each second. */
    async read(query: StatisticsQuery): Promise<Statistics> {
      const readAt = now()
      await writer.flush()
      await writer.attempt(rollUp)
      const statistics = await store().statistics(query)
      return pending.length === 0 ? { ...statistics, flushedAt: readAt } : statistics
    },
    close(): Promise<void> {
      clearInterval(pruning)
      return writer.close()
    },
  }
}

export type UsageStatistics = ReturnType<typeof createStatistics>
