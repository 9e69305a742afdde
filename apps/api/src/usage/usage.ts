import type { Logger } from 'pino'
import type { KeyVault } from '../crypto/key-vault.ts'
import { readErrorCode } from '../db/errors.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { createCounts } from './counts.ts'
import { createFailedCodes, type RecentFailure } from './failed-codes.ts'
import { createForgetPurchase } from './forget-purchase.ts'
import { createKeyUse } from './key-use.ts'
import { createKnownCodes } from './known-codes.ts'
import { createPurchaseUse, purchaseRef } from './purchase-use.ts'
import type { FailedCodesQuery, Statistics, StatisticsQuery, UsageBatch, UsageStore } from './usage-store.ts'

interface UsageOptions {
  store: UsageStore
  vault: KeyVault
  logger: Logger
  now: () => number
}

/** A crash loses at most this much, and what waits for its turn. */
const writeEveryMs = 1000
/** As many items and purchases are written each time. Those of more wait, and are summed meanwhile: each row takes some 10 µs. */
const itemsAtOnce = 500
const purchasesAtOnce = 1000
/** How often one old hour is deleted. */
const pruneEveryMs = 20 * 60_000

const nothing: UsageBatch = { keyUses: [], addresses: [], counts: [], purchases: [], failed: [], known: [] }

/**
 * What sellers see of their requests: when keys were used last, how validations ended, and which purchases were validated. It is collected in
 * memory and written from time to time, before it is read, and at the end. No request waits for that.
 */
export function createUsage({ store, vault, logger, now }: UsageOptions) {
  const keyUse = createKeyUse({ vault, now })
  const counts = createCounts(now)
  const purchaseUse = createPurchaseUse({ vault, now })
  const failedCodes = createFailedCodes({ vault, now })
  const knownCodes = createKnownCodes({ hash: vault.hash, now })
  /** What was taken and could not be written. It is written before more is taken. */
  let unwritten: UsageBatch | undefined
  let failing = false
  let closing = false
  let turns = 0
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: what is read includes what an earlier write has yet to store. */
  function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    turns++
    const result = last.then(act).finally(() => turns--)
    last = result.catch(() => {})
    return result
  }

  async function record(take: () => UsageBatch): Promise<void> {
    const isRetry = unwritten !== undefined
    unwritten ??= take()
    if (Object.values(unwritten).some(({ length }) => length > 0)) await store.record(unwritten, now())
    unwritten = undefined
    if (isRetry) await record(take)
  }

  /** Whether it succeeded. An outage is logged once. */
  async function attempt(write: () => Promise<void>): Promise<boolean> {
    try {
      await write()
      failing = false
      return true
    } catch (error) {
      if (!failing)
        logger.warn(
          { cause: { code: readErrorCode(error) || undefined } },
          'usage could not be written, will retry',
        )
      failing = true
      return false
    }
  }

  const write = (all: boolean) =>
    record(() => ({
      ...keyUse.take(all),
      counts: counts.take(all ? Number.POSITIVE_INFINITY : itemsAtOnce),
      purchases: purchaseUse.take(closing ? Number.POSITIVE_INFINITY : purchasesAtOnce),
      failed: failedCodes.take(),
      known: knownCodes.take(closing ? Number.POSITIVE_INFINITY : purchasesAtOnce),
    }))
  const flush = (all = true) => inTurn(() => attempt(() => write(all)))

  const writing = setInterval(() => {
    if (turns === 0) void flush(false)
  }, writeEveryMs).unref()
  const pruning = setInterval(
    () => void inTurn(() => attempt(() => store.prune(now()))),
    pruneEveryMs,
  ).unref()

  return {
    observe(event: RequestEvent) {
      keyUse.observe(event)
      counts.observe(event)
      purchaseUse.observe(event)
      failedCodes.observe(event)
    },

    /** Includes what this process counted up to now, and what others wrote: they do each second. */
    async readStatistics(query: StatisticsQuery): Promise<Statistics> {
      const readAt = now()
      const isWritten = await flush()
      const statistics = await store.statistics(query)
      return isWritten ? { ...statistics, flushedAt: readAt } : statistics
    },

    /** Includes the validations of this process up to now. Those of others are at most a minute behind. */
    readPurchaseUse(workspaceId: number, code: string) {
      const purchase = purchaseRef(workspaceId, code)
      return inTurn(async () => {
        await record(() => ({ ...nothing, purchases: purchaseUse.takeOne(purchase) }))
        return store.purchaseUse(purchase)
      })
    },

    /** The codes that failed last, with those of this process up to now; those of others are a second behind. */
    async readFailedCodes(query: Omit<FailedCodesQuery, 'now'>): Promise<RecentFailure[]> {
      await flush()
      return (await store.failedCodes({ ...query, now: now() })).flatMap(failedCodes.open)
    },

    /** The codes that each visitor validated in the last 30 days. */
    knownCodes: {
      note: knownCodes.note,
      has(visitor: string, code: string): Promise<boolean> {
        const ref = knownCodes.refOf(visitor, code)
        // What cannot be written now is known all the same.
        return inTurn(async () => {
          const isWaiting = knownCodes.isPending(ref) || unwritten?.known.some((code) => code.ref === ref)
          return isWaiting || store.isKnownCode(ref, now())
        })
      },
    },

    forgetPurchase: createForgetPurchase({ store, vault, now }),

    /** Includes the uses of this process up to now. */
    async readLastUses(keyIds?: readonly string[]) {
      await flush()
      return store.lastUses(keyIds)
    },

    /** The addresses of the last day; those that other processes saw in the last minute may be missing. */
    async readAddressCounts(keyIds: readonly string[]) {
      await flush()
      return store.addressCounts(keyIds, now())
    },

    async close() {
      clearInterval(writing)
      clearInterval(pruning)
      closing = true
      await flush()
    },
  }
}

export type Usage = ReturnType<typeof createUsage>
