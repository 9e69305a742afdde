import type { Logger } from 'pino'
import type { Observation } from '../telemetry/observer.ts'
import { createKeyUse } from './key-use.ts'
import { createStatistics } from './statistics.ts'
import type { LastUses, ReadLastUses, TrafficStore } from './traffic-store.ts'

interface TrafficOptions {
  store: () => TrafficStore
  lastUses: ReadLastUses
  logger: Logger
  now: () => number
}

/** What requests leave behind for sellers: when their keys were used, and how validations ended. */
export function createTraffic(options: TrafficOptions) {
  const keyUse = createKeyUse(options)
  const statistics = createStatistics(options)
  return {
    observe(observation: Observation) {
      keyUse.observe(observation)
      statistics.observe(observation)
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

export type Traffic = ReturnType<typeof createTraffic>
