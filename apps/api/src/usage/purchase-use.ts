import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { getOrAdd } from '../get-or-add.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { createBufferedWriter } from './buffered-writer.ts'
import type { PurchaseUse, UsageStore } from './usage-store.ts'

interface PurchaseUseOptions {
  store: () => Pick<UsageStore, 'recordPurchaseUse' | 'purchaseUse'>
  logger: Logger
  now: () => number
}

/**
 * Validations that were not written yet, by the start of the `purchaseRef` and by all of it. Neighbours in the table are written together:
 * SQLite writes each page that a batch changes as a whole.
 */
type PendingUses = Map<string, Map<string, PurchaseUse>>

/** A crash loses at most this much, and what waits for its batch. */
const flushEveryMs = 5000
const batchSize = 200
const pauseMsForEach = 1
/** As many as are written in a minute. Further purchases are not counted meanwhile: a flood of codes must not fill the memory. */
const maxPending = 50_000

/** Identifies a purchase without its code, which stays out of the usage file. */
export const purchaseRef = (workspaceId: number, code: string) =>
  hash('sha256', JSON.stringify([workspaceId, code]), 'base64url').slice(0, 22)

const purchaseGroup = (purchase: string) => purchase.slice(0, 2)

function add(uses: PendingUses, use: PurchaseUse): boolean {
  const group = getOrAdd(uses, purchaseGroup(use.purchase), () => new Map())
  const known = group.get(use.purchase)
  if (!known) {
    group.set(use.purchase, use)
    return true
  }
  known.firstAt = Math.min(known.firstAt, use.firstAt)
  known.lastAt = Math.max(known.lastAt, use.lastAt)
  known.count += use.count
  return false
}

/** Takes what there is when each batch is made. */
function* takeBatches(uses: PendingUses, size: number): Generator<PurchaseUse[]> {
  let batch: PurchaseUse[] = []
  for (const name of [...uses.keys()].sort()) {
    const group = uses.get(name) ?? new Map<string, PurchaseUse>()
    for (const use of group.values()) {
      group.delete(use.purchase)
      batch.push(use)
      if (batch.length < size) continue
      yield batch
      batch = []
    }
  }
  if (batch.length) yield batch
}

/** Counts the validations of each purchase in memory, and writes them in small batches. No request waits for that. */
export function createPurchaseUse({ store, logger, now }: PurchaseUseOptions) {
  let uses: PendingUses = new Map()
  /** What a flush has yet to write. */
  let waiting: PendingUses = new Map()
  /** The size of both, and of the batch that is being written. */
  let size = 0
  let closing = false
  /** The batch of a flush that is being written. */
  let writing: Promise<void> = Promise.resolve()

  async function writeBatch(batch: readonly PurchaseUse[]) {
    await store().recordPurchaseUse(batch)
    size -= batch.length
  }

  function putBack(batch: readonly PurchaseUse[]) {
    for (const use of batch) if (!add(uses, use)) size--
  }

  function startBatches() {
    waiting = uses
    uses = new Map()
    return takeBatches(waiting, batchSize)
  }

  async function write() {
    if (size === 0) return
    const batches = startBatches()
    for (const batch of batches) {
      try {
        const written = writeBatch(batch)
        writing = written.catch(() => {})
        await written
      } catch (error) {
        putBack(batch)
        for (const rest of batches) putBack(rest)
        throw error
      }
      if (size > 0 && !closing) await sleep(batch.length * pauseMsForEach)
    }
  }

  const failure = 'uses of purchases could not be written, will retry'
  const writer = createBufferedWriter({ logger, everyMs: flushEveryMs, failure, write })

  /** Writes what this process knows of one purchase ahead of the others. */
  async function flushOne(purchase: string) {
    await writing
    const own: PendingUses = new Map()
    for (const from of [waiting, uses]) {
      const group = from.get(purchaseGroup(purchase))
      const use = group?.get(purchase)
      if (!use) continue
      group?.delete(purchase)
      if (!add(own, use)) size--
    }
    for (const batch of takeBatches(own, 1)) {
      try {
        await writeBatch(batch)
      } catch (error) {
        putBack(batch)
        throw error
      }
    }
  }

  return {
    observe({ workspace, validated, code }: RequestEvent) {
      if (!validated || code !== null || workspace === null) return
      validated.ref ??= purchaseRef(workspace, validated.code)
      const { ref: purchase, itemId } = validated
      const at = now()
      const known = uses.get(purchaseGroup(purchase))?.get(purchase)
      if (known) {
        known.lastAt = Math.max(known.lastAt, at)
        known.count++
      } else if (size < maxPending) {
        add(uses, { purchase, itemId, firstAt: at, lastAt: at, count: 1 })
        size++
      }
    },

    /** Includes the validations of this process up to now. Those of others are at most a minute behind. */
    async read(workspaceId: number, code: string) {
      const purchase = purchaseRef(workspaceId, code)
      await flushOne(purchase)
      return store().purchaseUse(purchase)
    },

    close(): Promise<void> {
      closing = true
      return writer.close()
    },
  }
}
