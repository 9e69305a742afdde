import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { codeOf } from '../db/errors.ts'
import type { RequestEvent } from '../observability/observer.ts'
import type { PurchaseUse, UsageStore } from './usage-store.ts'

interface PurchaseUseOptions {
  store: () => Pick<UsageStore, 'purchaseUseBatch' | 'recordPurchaseUse' | 'purchaseUse'>
  logger: Logger
  now: () => number
}

/** Validations of one purchase that were not written yet. */
interface Pending {
  itemId: number
  firstAt: number
  lastAt: number
  count: number
}

/** By workspace and code. */
type PendingUses = Map<string, Map<string, Pending>>

/** A crash loses at most this much, and what waits for its batch. */
const flushEveryMs = 5000
const pauseMsForEach = 1
/** As many as are written in a minute. Further purchases are not counted meanwhile: a flood of codes must not fill the memory. */
const maxPending = 50_000

/** Identifies a purchase without its code, which stays out of the usage file. */
export const purchaseRef = (workspaceId: string, code: string) =>
  hash('sha256', JSON.stringify([workspaceId, code]), 'base64url').slice(0, 22)

function add(uses: PendingUses, [workspaceId, code]: readonly [string, string], use: Pending): boolean {
  let codes = uses.get(workspaceId)
  if (!codes) {
    codes = new Map()
    uses.set(workspaceId, codes)
  }
  const known = codes.get(code)
  if (!known) {
    codes.set(code, use)
    return true
  }
  known.firstAt = Math.min(known.firstAt, use.firstAt)
  known.lastAt = Math.max(known.lastAt, use.lastAt)
  known.count += use.count
  return false
}

interface Entry {
  id: readonly [workspaceId: string, code: string]
  use: Pending
}

/** Takes what there is when each batch is made. */
function* takeBatches(uses: PendingUses, batchSize: number): Generator<Entry[]> {
  let batch: Entry[] = []
  for (const [workspaceId, codes] of uses) {
    for (const [code, use] of codes) {
      codes.delete(code)
      batch.push({ id: [workspaceId, code], use })
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
  }
  if (batch.length) yield batch
}

const toPurchaseUse = ({ id: [workspaceId, code], use }: Entry): PurchaseUse => ({
  purchase: purchaseRef(workspaceId, code),
  ...use,
})

/** Counts the validations of each purchase in memory, and writes them in small batches. No request waits for that. */
export function createPurchaseUse({ store, logger, now }: PurchaseUseOptions) {
  let uses: PendingUses = new Map()
  /** What a flush has yet to write. */
  let waiting: PendingUses = new Map()
  /** Of both, and of the batch that is being written. */
  let size = 0
  let failing = false
  let closing = false
  let flushing: Promise<void> | undefined
  /** The batch of a flush that is being written. */
  let writing: Promise<void> = Promise.resolve()

  async function write(entries: readonly Entry[]) {
    await store().recordPurchaseUse(entries.map(toPurchaseUse))
    size -= entries.length
    failing = false
  }

  function putBack(entries: readonly Entry[]) {
    for (const { id, use } of entries) if (!add(uses, id, use)) size--
  }

  function logFailure(error: unknown) {
    const code = codeOf(error) || undefined
    if (!failing) logger.warn({ cause: { code } }, 'uses of purchases could not be written, will retry')
    failing = true
  }

  function startBatches() {
    const { purchaseUseBatch } = store()
    waiting = uses
    uses = new Map()
    return takeBatches(waiting, purchaseUseBatch)
  }

  async function flushAll() {
    let batches: ReturnType<typeof startBatches>
    try {
      batches = startBatches()
    } catch (error) {
      return logFailure(error)
    }
    for (const batch of batches) {
      try {
        const written = write(batch)
        writing = written.catch(() => {})
        await written
      } catch (error) {
        putBack(batch)
        for (const rest of batches) putBack(rest)
        return logFailure(error)
      }
      if (size > 0 && !closing) await sleep(batch.length * pauseMsForEach)
    }
  }

  function flush(): Promise<void> {
    flushing ??= flushAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  const timer = setInterval(() => {
    if (size > 0) void flush()
  }, flushEveryMs).unref()

  /** Writes what this process knows of one purchase ahead of the others. */
  async function flushOne(workspaceId: string, code: string) {
    await writing
    const own: PendingUses = new Map()
    for (const from of [waiting, uses]) {
      const use = from.get(workspaceId)?.get(code)
      if (!use) continue
      from.get(workspaceId)?.delete(code)
      if (!add(own, [workspaceId, code], use)) size--
    }
    for (const entries of takeBatches(own, 1)) {
      try {
        await write(entries)
      } catch (error) {
        putBack(entries)
        throw error
      }
    }
  }

  return {
    observe({ workspace, validated, code }: RequestEvent) {
      if (!validated || code !== null || workspace === null) return
      const at = now()
      const known = uses.get(workspace)?.get(validated.code)
      if (known) {
        known.lastAt = Math.max(known.lastAt, at)
        known.count++
      } else if (size < maxPending) {
        add(uses, [workspace, validated.code], {
          itemId: validated.itemId,
          firstAt: at,
          lastAt: at,
          count: 1,
        })
        size++
      }
    },

    /** Includes the validations of this process up to now. Those of others are at most a minute behind. */
    async read(workspaceId: string, code: string) {
      await flushOne(workspaceId, code)
      return store().purchaseUse(purchaseRef(workspaceId, code))
    },

    async close() {
      clearInterval(timer)
      closing = true
      await flushing
      await flush()
    },
  }
}
