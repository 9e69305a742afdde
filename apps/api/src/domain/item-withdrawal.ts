import type { Changes } from './audit-log.ts'

/**
 * Makes the function that takes an item out of both item operations or brings it back; gives the item, if there is one. Its purchases
 * validate all the time. What is so already stays as it is and is not recorded.
 */
export const createItemWithdrawal =
  ({ transact, clock, record }: Omit<Changes, 'prisma'>) =>
  (workspaceId: number, id: bigint, isWithdrawn: boolean) =>
    transact(async (tx) => {
      const { count } = await tx.item.updateMany({
        where: { workspaceId, id, withdrawnAt: isWithdrawn ? null : { not: null } },
        data: { withdrawnAt: isWithdrawn ? clock() : null },
      })
      const action = isWithdrawn ? 'item.withdrawn' : 'item.restored'
      if (count) await record(tx, { action, workspaceId, subject: String(id) })
      return tx.item.findUnique({ where: { id } })
    }, workspaceId)
