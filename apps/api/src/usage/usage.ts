import type { Logger } from 'pino'
import type { RequestEvent } from '../observability/observer.ts'
import { createKeyUse } from './key-use.ts'
import { createPurchaseUse } from './purchase-use.ts'
import { createStatistics } from './statistics.ts'
import type { LastUses, ReadLastUses, UsageStore } from './usage-store.ts'

interface UsageOptions {
  store: () => UsageStore
  lastUses: ReadLastUses
  logger: Logger
  now: () => number
}

/** What sellers see of their requests: when keys were used last, how validations ended, and which purchases were validated. */
export function createUsage(options: UsageOptions) {
  const keyUse = createKeyUse(options)
  const statistics = createStatistics(options)
  const purchaseUse = createPurchaseUse(options)
  return {
    observe(event: RequestEvent) {
      keyUse.observe(event)
      statistics.observe(event)
      purchaseUse.observe(event)
    },
    readStatistics: statistics.read,
    readPurchaseUse: purchaseUse.read,
    /** Includes the uses of this process up to now. */
    async readLastUses(keyIds?: readonly string[]): Promise<LastUses> {
      await keyUse.flush()
      return options.lastUses(keyIds)
    },
    async close() {
      await keyUse.close()
      await statistics.close()
      await purchaseUse.close()
    },
  }
}

export type Usage = ReturnType<typeof createUsage>
