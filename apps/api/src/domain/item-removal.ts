import type { Transact } from '../db/database.ts'
import type { Recorder } from './audit-log.ts'
import { DomainError } from './domain-error.ts'

interface ItemRemovalOptions {
  transact: Transact
  usage: { forgetItem: (itemId: number, at: number) => void | Promise<void> }
  now: () => number
  record: Recorder
}

/** Removes an item, and its purchases only on request. All or nothing; then what was counted of the purchases. */
export function createItemRemoval({ transact, usage, now, record }: ItemRemovalOptions) {
  return async function removeItem(id: bigint, { withPurchases }: { withPurchases: boolean }) {
    const removed = await transact(async (tx) => {
      const item = await tx.item.findUnique({ where: { id }, select: { workspaceId: true } })
      if (!item) throw new DomainError('item_unknown', String(id))
      const scope = { workspaceId: item.workspaceId, itemId: id }
      const purchases = await tx.purchase.count({ where: scope })
      if (purchases > 0 && !withPurchases) throw new DomainError('item_sold', String(id), String(purchases))
      // A key bound to no item validates the purchases of all: without its last item it could do more.
      const bound = await tx.apiKey.findMany({
        where: { revokedAt: null, items: { some: scope, every: scope } },
        select: { id: true },
      })
      if (bound.length) {
        const ids = bound.map((key) => key.id).join(', ')
        throw new DomainError('last_item', String(id), ids)
      }
      await tx.apiKeyItem.deleteMany({ where: scope })
      await tx.purchase.deleteMany({ where: scope })
      await tx.item.delete({ where: { id } })
      await record(tx, { action: 'item.removed', workspaceId: item.workspaceId, subject: String(id) })
      return { purchases }
    })
    if (removed.purchases > 0) await usage.forgetItem(Number(id), now())
    return removed
  }
}
