import { hash } from 'node:crypto'
import type { KeyVault } from '../crypto/key-vault.ts'
import type { RequestEvent } from '../http/request-event.ts'
import type { PurchaseUse } from './usage-store.ts'

/** Further purchases are not counted until some are taken: a flood of codes must not fill the memory. */
const maxPending = 50_000

/** Identifies a purchase without its code, which stays out of the usage file. */
export const purchaseRef = (workspaceId: number, code: string) =>
  hash('sha256', JSON.stringify([workspaceId, code]), 'base64url').slice(0, 22)

/** `ItemRemoval` has a removed purchase under two numbers that no item has, made of keyed hashes of its `purchaseRef` and its code. */
export const removalNumber = (hash: string) => -Buffer.from(hash, 'base64url').readUIntBE(0, 6)

/** The number of a removal of a purchase, by its `purchaseRef`. Without the secret it says nothing of the code. */
export const purchaseRemoval = ({ hash }: Pick<KeyVault, 'hash'>, purchase: string) =>
  removalNumber(hash(purchase))

type PendingUse = Omit<PurchaseUse, 'removal'>

interface PurchaseUseOptions {
  vault: Pick<KeyVault, 'hash'>
  now: () => number
}

/** Counts the validations of each purchase. */
export function createPurchaseUse({ vault, now }: PurchaseUseOptions) {
  /** By the `purchaseRef`. */
  const pending = new Map<string, PendingUse>()
  const withRemoval = (use: PendingUse): PurchaseUse => ({
    ...use,
    removal: purchaseRemoval(vault, use.purchase),
  })

  function take(taken: PendingUse[]): PurchaseUse[] {
    for (const { purchase } of taken) pending.delete(purchase)
    return taken.map(withRemoval)
  }

  return {
    observe({ workspace, validated, code }: RequestEvent) {
      if (!validated || code !== null || workspace === null) return
      validated.ref ??= purchaseRef(workspace, validated.code)
      const { ref: purchase, itemId } = validated
      const at = now()
      const known = pending.get(purchase)
      if (known) {
        known.lastAt = Math.max(known.lastAt, at)
        known.count++
      } else if (pending.size < maxPending)
        pending.set(purchase, { purchase, itemId, firstAt: at, lastAt: at, count: 1 })
    },

    /** Takes those of some purchases, those first that wait longest. */
    take: (limit: number) => take([...pending.values()].slice(0, limit)),

    /** Takes those of one purchase ahead of the others. */
    takeOne(purchase: string): PurchaseUse[] {
      const use = pending.get(purchase)
      return use ? take([use]) : []
    },
  }
}
