import { randomBytes } from 'node:crypto'
import { hashPassword, verifyPassword } from '../../crypto/password.ts'
import { createFairQueue } from '../fair-queue.ts'

/** Each check takes 19 MiB and a thread of the pool, which compresses responses as well. */
const limits = { running: 2, ofOwner: 2, waitingOfOwner: 20 }

/** Shared by all browsers that have not signed in before. */
const strangers = ''

/**
 * Checks passwords, a few at a time, with the same amount of work whether or not a hash is stored. The last argument is the account of a
 * browser that has signed in to it before: browsers of each account take turns with strangers, so that a flood of these stops none of them.
 */
export function createPasswordCheck() {
  const inTurn = createFairQueue(limits)
  let placeholder: Promise<string> | undefined

  return {
    async matches(
      stored: string | null | undefined,
      password: string,
      accountId = strangers,
    ): Promise<boolean> {
      placeholder ??= hashPassword(randomBytes(32).toString('base64url'))
      const fallback = await placeholder
      const verified = await inTurn(accountId, () => verifyPassword(stored ?? fallback, password))
      return verified && typeof stored === 'string'
    },
    hash: (password: string, accountId: string) => inTurn(accountId, () => hashPassword(password)),
  }
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>
