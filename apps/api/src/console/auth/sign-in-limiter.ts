import type { Limit } from '../../config.ts'
import type { KeyVault } from '../../crypto/key-vault.ts'
import { createLocalBudget } from '../../rate-limit/budget.ts'
import { clientKey } from '../../rate-limit/client-key.ts'
import type { LimitsOptions } from '../../rate-limit/limits.ts'
import { ConsoleFailure } from '../console-error.ts'

interface AttemptsOptions {
  limit: Limit
  budget: LimitsOptions['budget']
  vault: KeyVault
  now: () => number
}

/**
 * Who tries a password: a browser that is known to have signed in before; or anybody else, of whom the address counts, and whom it is tried
 * for: the name that was typed, or the id of who is signed in.
 */
export type Attempt = { device: string } | { address: string; subject: string }

/**
 * Passwords that are tried, counted for each address and for each name that they are tried for, before they are looked at: whoever tries
 * many at once gets no more of them. A name counts alike whether anybody has it.
 */
export function createAttempts({ limit, budget, vault, now }: AttemptsOptions) {
  const shared = limit && budget('sign-ins', limit)
  // Whoever shares the budget may not answer. Where reads go on without a limit then, passwords are still not tried without one.
  const own = limit && createLocalBudget({ limit, now })

  /** Addresses of people are no names for anything that is stored elsewhere. */
  const nameOf = (kind: string, text: string) => vault.hash(`sign-in ${kind} ${text.toLowerCase()}`)

  const namesOf = (trier: Attempt) =>
    'device' in trier
      ? [nameOf('device', trier.device)]
      : [nameOf('address', clientKey(trier.address)), nameOf('subject', trier.subject)]

  async function take(name: string): Promise<void> {
    const taken = (await shared?.take(name)) ?? own?.take(name)
    const { allowed, resetAt } = (await taken) ?? { allowed: true, resetAt: 0 }
    if (allowed) return
    const retryAfter = Math.max(1, Math.ceil((resetAt - now()) / 1000))
    throw new ConsoleFailure('too_many_attempts', { retryAfter })
  }

  return {
    /** Looks at a password, if there were not too many. Those that were right count as none. */
    async attempt<T>(trier: Attempt, look: () => Promise<T | undefined>) {
      const names = namesOf(trier)
      for (const name of names) await take(name)
      const found = await look()
      if (found !== undefined) for (const name of names) shared?.giveBack(name)
      return found
    },
  }
}

export type Attempts = ReturnType<typeof createAttempts>
