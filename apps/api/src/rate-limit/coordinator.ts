import { type BudgetOptions, createWindows } from './budget.ts'

/** A part of a budget that a process may spend by itself. */
export interface Lease {
  granted: number
  /** What is left for all processes beside what is leased. */
  pool: number
  resetAt: number
}

interface Account {
  pool: number
  resetAt: number
  /** The processes with a lease that they may not have spent. */
  holders: Set<number>
  /** Leases of one account are made one after the other: while others are recalled the pool is unknown. */
  last: Promise<unknown>
}

interface CoordinatorOptions extends BudgetOptions {
  processes: () => number
  /** Asks a process for what it has not spent; 0 from one that does not answer. */
  recall: (process: number, name: string, resetAt: number) => Promise<number>
}

const maxLease = 64

/**
 * Holds a budget for all processes, in the primary. The others lease parts that they spend without asking: large ones while there is
 * plenty, single ones towards the end, and unspent leases are recalled before a request is limited. So never more than the limit is
 * spent, and nothing is limited while something is left.
 */
export function createCoordinator(options: CoordinatorOptions) {
  const { limit, now, processes, recall } = options
  const accounts = createWindows<Account>(options)

  const openAccount = (): Account => ({
    pool: limit.count,
    resetAt: now() + accounts.length,
    holders: new Set(),
    last: Promise.resolve(),
  })

  async function recallAll(account: Account, name: string, except: number) {
    const others = [...account.holders].filter((holder) => holder !== except)
    for (const other of others) account.holders.delete(other)
    const returned = await Promise.all(others.map((other) => recall(other, name, account.resetAt)))
    account.pool += returned.reduce((sum, part) => sum + part, 0)
  }

  async function leaseFrom(account: Account, name: string, process: number): Promise<Lease> {
    if (account.pool === 0) await recallAll(account, name, process)
    const fair = Math.floor(account.pool / (2 * processes()))
    const granted = Math.min(account.pool, Math.max(1, Math.min(maxLease, fair)))
    account.pool -= granted
    if (granted > 0) account.holders.add(process)
    return { granted, pool: account.pool, resetAt: account.resetAt }
  }

  return {
    /** Leases a process a part of the budget of a name; nothing once all of it is spent. */
    lease(name: string, process: number): Promise<Lease> {
      const account = accounts.get(name) ?? accounts.set(name, openAccount())
      const lease = account.last.then(() => leaseFrom(account, name, process))
      account.last = lease.catch(() => {})
      return lease
    },
  }
}

export type Coordinator = ReturnType<typeof createCoordinator>
