import { setImmediate as nextTurn } from 'node:timers/promises'
import { isErrorCode } from '@saleproof/schema/constants'
import type { Logger } from 'pino'
import { codeOf } from '../db/errors.ts'
import type { RequestEvent } from '../observability/observer.ts'
import { type CountRow, createCounts, hourMs, rowsAtOnce, sum } from './counts.ts'
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
  let failing = false

  async function attempt(work: () => void | Promise<void>): Promise<boolean> {
    try {
      await work()
      failing = false
      return true
    } catch (error) {
      const code = codeOf(error) || undefined
      if (!failing) logger.warn({ cause: { code } }, 'validation counts could not be written, will retry')
      failing = true
      return false
    }
  }

  const oldestHour = () => Math.floor(now() / hourMs) - keepHours
  const rollUp = () =>
    attempt(async () => {
      while (await store().rollUp()) await nextTurn()
    })
  const prune = () => attempt(() => store().prune(oldestHour()))

  async function append(rows: readonly CountRow[]): Promise<boolean> {
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      if (start > 0) await nextTurn()
      const batch = rows.slice(start, start + rowsAtOnce)
      if (await attempt(() => store().appendCounts(batch, now()))) continue
      pending = sum([rows.slice(start), pending])
      return false
    }
    return true
  }

  async function flushNow(itemLimit: number) {
    const rows = [...pending, ...counts.take(itemLimit)]
    pending = []
    if (rows.length === 0 || !(await append(rows))) return
    if (now() - rolledUpAt < rollUpEveryMs && now() >= rolledUpAt) return
    rolledUpAt = now()
    await rollUp()
  }

  /** One after the other: what is read includes what an earlier flush has yet to write. */
  let flushed = Promise.resolve()
  function flush(itemLimit = Number.POSITIVE_INFINITY): Promise<void> {
    flushed = flushed.then(() => flushNow(itemLimit))
    return flushed
  }

  const timers = [
    setInterval(() => flush(itemsAtOnce), flushEveryMs).unref(),
    setInterval(prune, pruneEveryMs).unref(),
  ]

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
      await flush()
      await rollUp()
      const statistics = await store().statistics(query)
      return pending.length === 0 ? { ...statistics, flushedAt: readAt } : statistics
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await flush()
    },
  }
}

export type UsageStatistics = ReturnType<typeof createStatistics>
