import { purchaseSubject, type Recorder } from '../audit/append.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Database } from '../db/database.ts'
import type { Write } from '../db/prisma.ts'
import type { ForgetPurchase } from '../usage/forget-purchase.ts'

interface PurchaseRemovalOptions {
  write: Write
  erasing: Database['erasing']
  vault: KeyVault
  record: Recorder
  forget: ForgetPurchase
}

/** Removes a purchase with its history and its validations. False where there is none. `rewrite` as in `Database.erasing`. */
export function createPurchaseRemoval({ write, erasing, vault, record, forget }: PurchaseRemovalOptions) {
  return async function removePurchase(
    workspaceId: string,
    code: string,
    { rewrite }: { rewrite: boolean },
  ): Promise<boolean> {
    const remove = () =>
      write(async (tx) => {
        const { count } = await tx.purchase.deleteMany({ where: { workspaceId, code } })
        const subject = purchaseSubject(vault, workspaceId, code)
        if (count > 0) await record(tx, { action: 'purchase.removed', workspaceId, subject })
        return count > 0
      }, workspaceId)
    const removed = await erasing(remove, rewrite ? 'Purchase' : undefined)
    if (removed) await forget(workspaceId, code)
    return removed
  }
}
