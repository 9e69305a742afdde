import { randomBytes } from 'node:crypto'
import { hashPassword, verifyPassword } from '../../crypto/password.ts'
import { ConsoleFailure } from '../console-error.ts'

/** Each takes 19 MiB and a thread of the pool, which answers are compressed with as well. */
const atOnce = 2
const mostWaiting = 20

/** Checks passwords, a few at a time, with the same work whether there is one to compare with or not. */
export function createPasswordCheck() {
  let nobodys: Promise<string> | undefined
  let running = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (waiting.length >= mostWaiting) throw new ConsoleFailure('unavailable', { retryAfter: 1 })
    if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running++
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    /** Whether a password is the stored one; never without one. */
    async matches(stored: string | null | undefined, password: string): Promise<boolean> {
      nobodys ??= hashPassword(randomBytes(32).toString('base64url'))
      const otherwise = await nobodys
      return (await inTurn(() => verifyPassword(stored ?? otherwise, password))) && typeof stored === 'string'
    },
    hash: (password: string) => inTurn(() => hashPassword(password)),
  }
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>
