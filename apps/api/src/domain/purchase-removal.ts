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

/** Removes a purchase with its history and its validations: those also where there is no purchase any more. False where there is none. */
export function createPurchaseRemoval({ write, erasing, record, forget }: PurchaseRemovalOptions) {
  return async function removePurchase(workspaceId: number, code: string): Promise<boolean> {
    let forgotten = Promise.resolve()
    async function remove() {
      const removed = await write(async (tx) => {
        const [found] = await tx.$queryRaw<{ itemId: bigint }[]>`
          DELETE FROM "Purchase" WHERE "workspaceId" = ${workspaceId} AND "code" = ${code} RETURNING "itemId"`
        if (found)
          await record(tx, { action: 'purchase.removed', workspaceId, subject: String(found.itemId) })
        return found !== undefined
      }, workspaceId)
      // Also where this fails, the files must hold nothing of the purchase.
      forgotten = forget(workspaceId, code)
      await Promise.allSettled([forgotten])
      return removed
    }
    const removed = await erasing(remove)
    await forgotten
    return removed
  }
}
