import type { Changes } from './audit-log.ts'

/** Takes items out of both item operations and brings them back. Their purchases validate all the time. */
export function createItemWithdrawal({ transact, clock, record }: Omit<Changes, 'prisma'>) {
  /** What is so already stays as it is and is not recorded. */
  const set = (id: bigint, withdrawnAt: Date | null, workspaceId?: number) =>
    transact(async (tx) => {
      const { count } = await tx.item.updateMany({
        where: { id, withdrawnAt: withdrawnAt ? null : { not: null } },
        data: { withdrawnAt },
      })
      const item = await tx.item.findUnique({ where: { id } })
      if (count === 0 || !item) return item
      const action = withdrawnAt ? 'item.withdrawn' : 'item.restored'
      await record(tx, { action, workspaceId: item.workspaceId, subject: String(id) })
      return item
    }, workspaceId)

  return {
    /** The withdrawn item; null where there is none. */
    withdraw: (id: bigint, workspaceId?: number) => set(id, clock(), workspaceId),
    /** The item, no longer withdrawn; null where there is none. */
    restore: (id: bigint, workspaceId?: number) => set(id, null, workspaceId),
  }
}
