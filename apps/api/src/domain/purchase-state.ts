import type { PurchaseState } from '@saleproof/schema'
import type { Changes } from './audit-log.ts'

/**
 * Makes the function that sets the state of the purchase with a code; gives the purchase, if there is one.
 * Setting the current state changes nothing and is not recorded.
 */
export const createPurchaseState =
  ({ transact, clock, record }: Omit<Changes, 'prisma'>) =>
  (workspaceId: number, code: string, state: PurchaseState) =>
    transact(async (tx) => {
      const where = { workspaceId_code: { workspaceId, code } }
      const row = await tx.purchase.findUnique({ where, include: { item: true } })
      if (!row || row.state === state) return row
      const data = { state, refundedAt: state === 'refunded' ? clock() : null }
      await tx.purchase.update({ where, data })
      const subject = String(row.itemId)
      const entry = await record(tx, { action: 'purchase.changed', workspaceId, subject })
      await tx.purchaseChange.create({ data: { workspaceId, code, entry, state } })
      return { ...row, ...data }
    }, workspaceId)
