import { type BudgetOptions, createWindows } from './budget.ts'

/** A part of a budget that a process may spend by itself. */
export interface Lease {
  granted: number
  /** What is left for everybody beside what was granted before. */
  pool: number
  resetAt: number
}

interface Account {
  pool: number
  resetAt: number
  /** The processes that were granted something, which they may have left. */
  holders: Set<number>
  /** Grants of one account are made one after the other: while parts are called back nothing can be said. */
  last: Promise<unknown>
}

interface LedgerOptions extends BudgetOptions {
  processes: () => number
  /** Asks a process for what it has not spent; 0 from one that does not answer. */
  recall: (process: number, name: string, resetAt: number) => Promise<number>
}

/** The largest part that is granted at once. */
const largestGrant = 64

/**
 * The budgets of all processes, kept by the first of them. The others are granted parts that they spend without asking: large ones while
 * there is plenty, single ones towards the end, and what others have left is called back before anybody is refused. So never more than
 * the limit is spent, and nobody is refused while something is left.
 */
export function createLedger(options: LedgerOptions) {
  const { limit, now, processes, recall } = options
  const accounts = createWindows<Account>(options)

  function accountOf(name: string): Account {
    const kept = accounts.get(name)
    if (kept) return kept
    const account = {
      pool: limit.count,
      resetAt: now() + accounts.length,
      holders: new Set<number>(),
      last: Promise.resolve(),
    }
    accounts.set(name, account)
    return account
  }

  async function recallAll(account: Account, name: string, except: number) {
    const others = [...account.holders].filter((holder) => holder !== except)
    for (const other of others) account.holders.delete(other)
    const returned = await Promise.all(others.map((other) => recall(other, name, account.resetAt)))
    account.pool += returned.reduce((sum, part) => sum + part, 0)
  }

  async function grantFrom(account: Account, name: string, process: number): Promise<Lease> {
    if (account.pool === 0) await recallAll(account, name, process)
    const fair = Math.floor(account.pool / (2 * processes()))
    const granted = Math.min(account.pool, Math.max(1, Math.min(largestGrant, fair)))
    account.pool -= granted
    if (granted > 0) account.holders.add(process)
    return { granted, pool: account.pool, resetAt: account.resetAt }
  }

  return {
    /** Grants a process a part of the budget of a name; nothing once all of it is spent. */
    grant(name: string, process: number): Promise<Lease> {
      const account = accountOf(name)
      const grant = account.last.then(() => grantFrom(account, name, process))
      account.last = grant.catch(() => {})
      return grant
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
