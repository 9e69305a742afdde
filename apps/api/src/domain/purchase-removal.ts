import type { Database } from '../db/database.ts'
import type { Write } from '../db/prisma.ts'
import type { Recorder } from './audit-log.ts'

interface PurchaseRemovalOptions {
  write: Write
  erasing: Database['erasing']
  record: Recorder
  /** Deletes what was counted of its validations. */
  forget: (workspaceId: number, code: string) => Promise<void>
}

/** Removes a purchase with its history and its validations. False where there is none. */
export function createPurchaseRemoval({ write, erasing, record, forget }: PurchaseRemovalOptions) {
  return async function removePurchase(workspaceId: number, code: string): Promise<boolean> {
    async function remove() {
      const removed = await write(async (tx) => {
        const [found] = await tx.$queryRaw<{ itemId: bigint }[]>`
          DELETE FROM "Purchase" WHERE "workspaceId" = ${workspaceId} AND "code" = ${code} RETURNING "itemId"`
        if (found)
          await record(tx, { action: 'purchase.removed', workspaceId, subject: String(found.itemId) })
        return found !== undefined
      }, workspaceId)
      // Here, because what follows may fail, and then there is no purchase to remove any more.
      if (removed) await forget(workspaceId, code)
      return removed
    }
    return erasing(remove)
  }
}
