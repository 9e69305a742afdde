import { randomBytes } from 'node:crypto'
import { hashPassword, verifyPassword } from '../../crypto/password.ts'
import { ConsoleError } from '../console-error.ts'

/** Each check takes 19 MiB and a thread of the pool, which compresses responses as well. */
const maxRunning = 2
const maxWaiting = 20

/** Checks passwords, a few at a time, with the same amount of work whether or not a hash is stored. */
export function createPasswordCheck() {
  let placeholder: Promise<string> | undefined
  let running = 0
  const waiting: (() => void)[] = []

  async function queue<T>(act: () => Promise<T>): Promise<T> {
    if (waiting.length >= maxWaiting) throw new ConsoleError('unavailable', { retryAfter: 1 })
    if (running >= maxRunning) await new Promise<void>((resolve) => void waiting.push(resolve))
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
    async matches(stored: string | null | undefined, password: string): Promise<boolean> {
      placeholder ??= hashPassword(randomBytes(32).toString('base64url'))
      const fallback = await placeholder
      return (await queue(() => verifyPassword(stored ?? fallback, password))) && typeof stored === 'string'
    },
    hash: (password: string) => queue(() => hashPassword(password)),
  }
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>
