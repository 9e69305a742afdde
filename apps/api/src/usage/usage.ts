import type { Logger } from 'pino'
import type { RequestEvent } from '../observability/observer.ts'
import { createKeyUse } from './key-use.ts'
import { createStatistics } from './statistics.ts'
import type { LastUses, ReadLastUses, UsageStore } from './usage-store.ts'

interface TrafficOptions {
  store: () => UsageStore
  lastUses: ReadLastUses
  logger: Logger
  now: () => number
}

/** What requests leave behind for sellers: when their keys were used, and how validations ended. */
export function createUsage(options: TrafficOptions) {
  const keyUse = createKeyUse(options)
  const statistics = createStatistics(options)
  return {
    observe(event: RequestEvent) {
      keyUse.observe(event)
      statistics.observe(event)
    },
    readStatistics: statistics.read,
    /** The last uses of keys; of this process as of now. */
    async readLastUses(keyIds?: readonly string[]): Promise<LastUses> {
      await keyUse.flush()
      return options.lastUses(keyIds)
    },
    async close() {
      await keyUse.close()
      await statistics.close()
    },
  }
}

export type Usage = ReturnType<typeof createUsage>
