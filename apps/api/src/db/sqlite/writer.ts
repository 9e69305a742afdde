import { setTimeout as delay } from 'node:timers/promises'
import { sqliteCode } from '../errors.ts'
import type { Transaction, Write } from '../transaction.ts'
import type { Prisma } from './prisma.ts'

interface WriterOptions {
  file: string
  /** Throws when the database may not be asked, or what it was told may not be stored: called before and after. */
  guard?: () => void
  /** How long a transaction may wait for its turn and for the lock, and then for its own statements. */
  timeoutMs?: number
}

/** Between two looks at whether the lock is free. */
const lookEveryMs = 20

/** SQLite takes its one lock for a statement that could change something, also where it changes nothing. */
const takeLock = 'UPDATE "Deployment" SET "id" = "id" WHERE 1 = 0'

/** The time for a lock is used up: as unknown an answer as any other that the database does not give. */
class DatabaseBusyError extends Error {
  readonly code = 'SQLITE_BUSY'

  constructor(cause: unknown) {
    super('another writer holds the database', { cause })
    this.name = 'DriverAdapterError'
  }
}

/**
 * Transactions in a process that serves. The client is its own: a transaction on that of the readers would take their statements in. It
 * never waits for a lock, which would stop the whole process, but asks again and again.
 */
export function createWriter({ file, guard = () => {}, timeoutMs = 5000 }: WriterOptions) {
  let opening: Promise<{ prisma: Prisma; close: () => Promise<void> }> | undefined
  let last: Promise<unknown> = Promise.resolve()

  function client() {
    opening ??= import('./prisma.ts').then(({ openPrisma }) => openPrisma({ file, busyTimeoutMs: 0 }))
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  /** Runs a transaction once it has the lock. What fails after that is not tried again: it may have been told to somebody. */
  async function attempt<T>(act: (tx: Transaction) => Promise<T>, deadline: number): Promise<T> {
    for (;;) {
      let locked = false
      const run = async (tx: Transaction) => {
        await tx.$executeRawUnsafe(takeLock)
        locked = true
        return act(tx)
      }
      try {
        guard()
        const { prisma } = await client()
        const result = await prisma.$transaction(run, { timeout: timeoutMs, maxWait: timeoutMs })
        guard()
        return result
      } catch (error) {
        if (locked || !sqliteCode(error).startsWith('SQLITE_BUSY')) throw error
        if (performance.now() >= deadline) throw new DatabaseBusyError(error)
      }
      await delay(lookEveryMs)
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
    /** Whoever writes afterwards opens another one. */
    async close() {
      await last
      const open = await opening
      opening = undefined
      await open?.close()
    },
  }
}
