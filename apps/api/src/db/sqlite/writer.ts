import { setTimeout as delay } from 'node:timers/promises'
import { isBusy } from '../errors.ts'
import { createLazyPrisma } from '../lazy-prisma.ts'
import type { Transaction, Write } from '../prisma.ts'

interface WriterOptions {
  file: string
  /** Called before and after each transaction; throws when the database must not be used, or a write may be lost. */
  guard?: () => void
  /** How long a transaction may wait for its turn and for the lock, and then for its own statements. */
  timeoutMs?: number
}

/** Between two attempts to take the lock. */
const retryMs = 20

/** SQLite takes its one lock for a statement that could change something, even if it changes nothing. */
const takeLock = 'UPDATE "Deployment" SET "id" = "id" WHERE 1 = 0'

/**
 * Runs the transactions of a process that serves. It has a client of its own: a transaction on that of the readers would contain their
 * statements. It never waits for a lock, which would block the whole process, but retries.
 */
export function createWriter({ file, guard, timeoutMs = 5000 }: WriterOptions) {
  const { prisma, close } = createLazyPrisma({
    open: async () => (await import('./prisma.ts')).openPrisma({ file, busyTimeoutMs: 0 }),
    ...(guard && { guard }),
  })
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a transaction once it has the lock. What fails after that is not retried: it may have had effects elsewhere. */
  async function attempt<T>(act: (tx: Transaction) => Promise<T>, deadline: number): Promise<T> {
    for (;;) {
      let locked = false
      const run = async (tx: Transaction) => {
        await tx.$executeRawUnsafe(takeLock)
        locked = true
        return act(tx)
      }
      try {
        return await prisma.$transaction(run, { timeout: timeoutMs, maxWait: timeoutMs })
      } catch (error) {
        if (locked || !isBusy(error) || performance.now() >= deadline) throw error
      }
      await delay(retryMs)
    }
  }

  const write: Write = (act) => {
    const deadline = performance.now() + timeoutMs
    const turn = last.then(() => attempt(act, deadline))
    last = turn.catch(() => {})
    return turn
  }

  return {
    write,
    /** The next write opens the database again. */
    async close() {
      await last
      await close()
    },
  }
}
