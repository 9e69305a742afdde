import { type Budget, type BudgetOptions, createWindows, type Taken } from './budget.ts'
import type { Lease } from './coordinator.ts'

interface Share {
  left: number
  pool: number
  resetAt: number
  /** Nothing is left in any process: another lease would be empty. */
  spent: boolean
  /** The lease under way; false where the coordinator does not answer. */
  leasing: Promise<boolean> | undefined
}

interface SharedBudgetOptions extends BudgetOptions {
  /** Asks the coordinator for a part; undefined where it does not answer. */
  lease: (name: string) => Promise<Lease | undefined> | undefined
}

/** A budget that processes share: this one spends what it has leased, and leases more when that is gone. */
export function createSharedBudget(
  options: SharedBudgetOptions,
): Budget & { release: (name: string, resetAt: number) => number } {
  const { lease, now } = options
  const shares = createWindows<Share>(options)

  const noShare = (): Share => ({
    left: 0,
    pool: 0,
    resetAt: now() + shares.length,
    spent: false,
    leasing: undefined,
  })

  const spend = (share: Share): Taken => {
    const allowed = share.left > 0
    if (allowed) share.left--
    return { allowed, remaining: share.left + share.pool, resetAt: share.resetAt }
  }

  async function replenish(name: string, share: Share): Promise<boolean> {
    const leased = await lease(name)
    if (!leased) return false
    const { granted, pool, resetAt } = leased
    Object.assign(share, { left: share.left + granted, pool, resetAt, spent: granted === 0 })
    return true
  }

  async function leaseAndSpend(name: string, share: Share): Promise<Taken | undefined> {
    while (share.left === 0 && !share.spent) {
      // Requests that come meanwhile wait for the same lease.
      share.leasing ??= replenish(name, share).finally(() => {
        share.leasing = undefined
      })
      if (!(await share.leasing)) return undefined
    }
    return spend(share)
  }

  return {
    take(name) {
      const share = shares.get(name) ?? shares.set(name, noShare())
      return share.left > 0 || share.spent ? spend(share) : leaseAndSpend(name, share)
    },
    giveBack(name) {
      const share = shares.get(name)
      if (share) share.left++
    },
    /** Returns what is left of a window to the coordinator. */
    release(name, resetAt) {
      const share = shares.get(name)
      if (!share || share.resetAt !== resetAt) return 0
      const { left } = share
      share.left = 0
      return left
    },
  }
}
