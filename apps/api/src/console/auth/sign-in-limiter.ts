import { createLocalBudget } from '../../rate-limit/budget.ts'
import { ConsoleError } from '../console-error.ts'
import type { ConsoleOptions } from '../handler.ts'

/**
 * The party that tries a password. A browser that has signed in before counts by itself, and so does a signed-in owner: unknown
 * browsers use up no attempts of theirs. For any other browser the client address counts, and so does the login. A reset link has none.
 */
export type Attempt = { device: string } | { owner: string } | { address: string; login?: string }

/**
 * Limits password attempts. Each counts before the password is checked, so that parallel attempts gain nothing. A login counts the same
 * whether or not the account exists.
 */
export function createSignInLimiter({ signIns: { limit, budget }, vault, clock }: ConsoleOptions) {
  const now = () => clock().getTime()
  const shared = limit && budget('sign-ins', limit)
  // When the shared budget does not respond, reads continue without a limit, but passwords are never tried without one.
  const local = limit && createLocalBudget({ limit, now })

  /** Hashed, because logins and addresses are personal data. */
  const hashKey = (kind: string, text: string) => vault.hash(`sign-in ${kind} ${text.toLowerCase()}`)

  function hashKeys(attempt: Attempt): string[] {
    if ('device' in attempt) return [hashKey('device', attempt.device)]
    if ('owner' in attempt) return [hashKey('owner', attempt.owner)]
    const { address, login } = attempt
    const keys = [hashKey('address', address)]
    return login === undefined ? keys : [...keys, hashKey('login', login)]
  }

  async function take(key: string): Promise<void> {
    const taken = (await shared?.take(key)) ?? (await local?.take(key))
    if (!taken || taken.allowed) return
    const retryAfter = Math.max(1, Math.ceil((taken.resetAt - now()) / 1000))
    throw new ConsoleError('too_many_attempts', { retryAfter })
  }

  return {
    /** Runs `check` unless the limit is reached. A check that succeeds does not count, nor one that fails: it looked at no password. */
    async attempt<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
      const keys = hashKeys(attempt)
      for (const key of keys) await take(key)
      const giveBack = () => {
        for (const key of keys) shared?.giveBack(key)
      }
      try {
        const result = await check()
        if (result !== undefined) giveBack()
        return result
      } catch (error) {
        giveBack()
        throw error
      }
    },
  }
}

export type SignInLimiter = ReturnType<typeof createSignInLimiter>
