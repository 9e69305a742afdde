import type { Database, Transact } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import type { Recorder } from './audit-log.ts'

const remove = `DELETE FROM "Purchase" WHERE "workspaceId" = $1 AND "code" = $2 RETURNING "itemId"`

interface PurchaseRemovalOptions {
  transact: Transact<Sql>
  erasing: Database['erasing']
  record: Recorder
  /** Deletes what was counted of its validations. */
  forget: (workspaceId: number, code: string) => Promise<void>
}

/** Removes a purchase with its history and its validations: those also where there is no purchase any more. False where there is none. */
export function createPurchaseRemoval({ transact, erasing, record, forget }: PurchaseRemovalOptions) {
  return async function removePurchase(workspaceId: number, code: string): Promise<boolean> {
    let forgotten = Promise.resolve()
    async function removeAndForget() {
      const removed = await transact(async (sql) => {
        const [found] = await sql.query<{ itemId: number }>(remove, workspaceId, code)
        if (found)
          await record(sql, { action: 'purchase.removed', workspaceId, subject: String(found.itemId) })
        return found !== undefined
      }, workspaceId)
      // Also where this fails, the files must hold nothing of the purchase.
      forgotten = forget(workspaceId, code)
      await Promise.allSettled([forgotten])
      return removed
    }
    const removed = await erasing(removeAndForget)
    await forgotten
    return removed
  }
}
