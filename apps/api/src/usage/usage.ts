import type { Logger } from 'pino'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { hourMs } from './counts.ts'
import { createFailedCodes } from './failed-codes.ts'
import { createForgetPurchase } from './forget-purchase.ts'
import { addressHours, type SlotOf } from './key-addresses.ts'
import { createKeyUse } from './key-use.ts'
import { createPurchaseUse } from './purchase-use.ts'
import { createStatistics } from './statistics.ts'
import type { AddressCounts, LastUses, ReadLastUses, UsageStore } from './usage-store.ts'

interface UsageOptions {
  store: () => UsageStore
  lastUses: ReadLastUses
  slotOf: SlotOf
  vault: KeyVault
  logger: Logger
  now: () => number
}

/** What sellers see of their requests: when keys were used last, how validations ended, and which purchases were validated. */
export function createUsage(options: UsageOptions) {
  const keyUse = createKeyUse(options)
  const statistics = createStatistics(options)
  const purchaseUse = createPurchaseUse(options)
  const failedCodes = createFailedCodes(options)
  return {
    observe(event: RequestEvent) {
      keyUse.observe(event)
      statistics.observe(event)
      purchaseUse.observe(event)
      failedCodes.observe(event)
    },
    readStatistics: statistics.read,
    readPurchaseUse: purchaseUse.read,
    readFailedCodes: failedCodes.read,
    forgetPurchase: createForgetPurchase(options),
    /** Includes the uses of this process up to now. */
    async readLastUses(keyIds?: readonly string[]): Promise<LastUses> {
      await keyUse.flush()
      return options.lastUses(keyIds)
    },
    /** The addresses of the last day; those that other processes saw in the last minute may be missing. */
    async readAddressCounts(keyIds: readonly string[]): Promise<AddressCounts> {
      await keyUse.flush()
      return options.store().addressCounts(keyIds, Math.floor(options.now() / hourMs) - addressHours + 1)
    },
    async close() {
      await keyUse.close()
      await statistics.close()
      await purchaseUse.close()
      await failedCodes.close()
    },
  }
}

export type Usage = ReturnType<typeof createUsage>
