import { type Budget, type BudgetOptions, createWindows, type Take, type Taken } from './budget.ts'
import type { Lease } from './coordinator.ts'

interface Share {
  left: number
  pool: number
  resetAt: number
  /** Nothing is left anywhere: asking again would change nothing. */
  spent: boolean
  /** Whether the question that is under way was answered, once it was. */
  asking: Promise<boolean> | undefined
}

interface SharedBudgetOptions extends BudgetOptions {
  /** Asks the process that keeps the ledger for a part; undefined where it does not answer. */
  ask: (name: string) => Promise<Lease | undefined> | undefined
}

/** A budget that several processes share: this one spends what it was granted, and asks when that is gone. */
export function createSharedBudget(
  options: SharedBudgetOptions,
): Budget & { release: (name: string, resetAt: number) => number } {
  const { ask, now } = options
  const shares = createWindows<Share>(options)

  function shareOf(name: string): Share {
    const kept = shares.get(name)
    if (kept) return kept
    const share = { left: 0, pool: 0, resetAt: now() + shares.length, spent: false, asking: undefined }
    shares.set(name, share)
    return share
  }

  const spend = (share: Share): Taken => {
    const allowed = share.left > 0
    if (allowed) share.left--
    return { allowed, remaining: share.left + share.pool, resetAt: share.resetAt }
  }

  /** Those who come while a question is under way wait for its answer. */
  async function replenish(name: string, share: Share): Promise<boolean> {
    const grant = await ask(name)
    if (!grant) return false
    const { granted, pool, resetAt } = grant
    Object.assign(share, { left: share.left + granted, pool, resetAt, spent: granted === 0 })
    return true
  }

  async function askAndSpend(name: string, share: Share): Promise<Take> {
    while (share.left === 0 && !share.spent) {
      share.asking ??= replenish(name, share).finally(() => {
        share.asking = undefined
      })
      if (!(await share.asking)) return undefined
    }
    return spend(share)
  }

  return {
    take(name) {
      const share = shareOf(name)
      return share.left > 0 || share.spent ? spend(share) : askAndSpend(name, share)
    },
    giveBack(name) {
      const share = shares.get(name)
      if (share) share.left++
    },
    /** Gives up what is left of a window, because another process needs it. */
    release(name, resetAt) {
      const share = shares.get(name)
      if (!share || share.resetAt !== resetAt) return 0
      const { left } = share
      share.left = 0
      return left
    },
  }
}
