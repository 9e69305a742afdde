import type { KeyVault } from '../crypto/key-vault.ts'
import { sealCode } from './failed-codes.ts'
import { purchaseRef, purchaseRemoval } from './purchase-use.ts'
import type { UsageStore } from './usage-store.ts'

interface ForgetOptions {
  store: Pick<UsageStore, 'forgetPurchase'>
  vault: Pick<KeyVault, 'hash' | 'seal'>
  now: () => number
}

/** Deletes what is kept of the validations of a removed purchase. */
export function createForgetPurchase({ store, vault, now }: ForgetOptions) {
  return async function forgetPurchase(workspaceId: number, code: string): Promise<void> {
    const { hash } = sealCode(vault, code)
    const purchase = purchaseRef(workspaceId, code)
    const removal = purchaseRemoval(vault, purchase)
    await store.forgetPurchase({ workspaceId, purchase, removal, hash, at: now() })
  }
}
