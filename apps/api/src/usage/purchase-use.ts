import { hash } from 'node:crypto'
import type { KeyVault } from '../crypto/key-vault.ts'
import { getOrAdd } from '../get-or-add.ts'
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
export const removalOf = ({ hash }: Pick<KeyVault, 'hash'>, purchase: string) => removalNumber(hash(purchase))

const groupOf = (purchase: string) => purchase.slice(0, 2)

type PendingUse = Omit<PurchaseUse, 'removal'>

interface PurchaseUseOptions {
  vault: Pick<KeyVault, 'hash'>
  now: () => number
}

/** Counts the validations of each purchase. */
export function createPurchaseUse({ vault, now }: PurchaseUseOptions) {
  /**
   * By the start of the `purchaseRef` and by all of it. Neighbours in the table are taken together: SQLite writes each page that a
   * transaction changes as a whole.
   */
  const groups = new Map<string, Map<string, PendingUse>>()
  let size = 0
  const withRemoval = (use: PendingUse): PurchaseUse => ({ ...use, removal: removalOf(vault, use.purchase) })

  function add(use: PendingUse) {
    const group = getOrAdd(groups, groupOf(use.purchase), () => new Map<string, PendingUse>())
    const known = group.get(use.purchase)
    if (!known) {
      group.set(use.purchase, use)
      size++
      return
    }
    known.firstAt = Math.min(known.firstAt, use.firstAt)
    known.lastAt = Math.max(known.lastAt, use.lastAt)
    known.count += use.count
  }

  return {
    observe({ workspace, validated, code }: RequestEvent) {
      if (!validated || code !== null || workspace === null) return
      validated.ref ??= purchaseRef(workspace, validated.code)
      const { ref: purchase, itemId } = validated
      if (size >= maxPending && !groups.get(groupOf(purchase))?.has(purchase)) return
      const at = now()
      add({ purchase, itemId, firstAt: at, lastAt: at, count: 1 })
    },

    /** Takes those of some purchases, those first that wait longest. */
    take(limit: number): PurchaseUse[] {
      const taken: PurchaseUse[] = []
      for (const [name, group] of groups) {
        for (const [purchase, use] of group) {
          if (taken.length === limit) break
          taken.push(withRemoval(use))
          group.delete(purchase)
        }
        if (group.size > 0) break
        groups.delete(name)
      }
      size -= taken.length
      return taken
    },

    /** Takes those of one purchase ahead of the others. */
    takeOne(purchase: string): PurchaseUse[] {
      const group = groups.get(groupOf(purchase))
      const use = group?.get(purchase)
      if (!use) return []
      group?.delete(purchase)
      size--
      return [withRemoval(use)]
    },

    putBack: (uses: readonly PurchaseUse[]) => uses.forEach(add),
  }
}
