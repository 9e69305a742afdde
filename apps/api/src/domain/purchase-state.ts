import type { PurchaseState } from '@saleproof/schema'
import { purchaseSubject, type Recorder } from '../audit/append.ts'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { Write } from '../db/prisma.ts'

interface PurchaseStateOptions {
  write: Write
  vault: KeyVault
  record: Recorder
  clock: () => Date
}

export function createPurchaseState({ write, vault, record, clock }: PurchaseStateOptions) {
  return {
    /** Setting the current state changes nothing and is not recorded. */
    set: (workspaceId: string, code: string, state: PurchaseState) =>
      write(async (tx) => {
        const { count } = await tx.purchase.updateMany({
          where: { workspaceId, code, state: { not: state } },
          data: { state, refundedAt: state === 'refunded' ? clock() : null },
        })
        if (count === 0) return
        const subject = purchaseSubject(vault, workspaceId, code)
        const entry = await record(tx, { action: 'purchase.changed', workspaceId, subject })
        await tx.purchaseChange.create({ data: { workspaceId, code, entry, state } })
      }),
  }
}
