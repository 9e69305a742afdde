import type { Transact } from '../database.ts'
import { DatabaseError, isBusy } from '../errors.ts'
import { createSql, type Sql, type Statement, transactOn } from '../sql.ts'
import { runCheckpoint } from './checkpoint.ts'
import { createStorageThread, type StorageCall } from './storage-thread.ts'

interface WriterOptions {
  file: string
  /** Called before and after each transaction; throws when the database must not be used, or a write may be lost. */
  guard?: () => void
  /** How long a transaction may wait for its turn; for the lock of another process it waits as long again. */
  timeoutMs?: number
}

/** Runs the transactions of a process one at a time, on the one connection that writes. */
export function createWriter({ file, guard = () => {}, timeoutMs = 5000 }: WriterOptions) {
  const thread = createStorageThread({ file, timeoutMs })
  let last: Promise<void> = Promise.resolve()

  const run = <Row>(...[sql, ...values]: Statement) => thread.call<Row[]>({ method: 'run', sql, values })

  /** Resolves with what ends the turn. What is before it may take for ever. */
  async function takeTurn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = promise
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(late.resolve, timeoutMs, 'late')
    const first = await Promise.race([before, late.promise])
    clearTimeout(timer)
    if (first !== 'late') return resolve
    before.then(resolve)
    throw new DatabaseError('busy', 'SQLITE_BUSY')
  }

  const transact: Transact<Sql> = async (act, _, { prepare, readonly = false, signal } = {}) => {
    const end = await takeTurn()
    async function query<Row>(...statement: Statement) {
      signal?.throwIfAborted()
      return run<Row>(...statement)
    }
    try {
      guard()
      if (prepare) await thread.call({ method: 'prepare', statements: prepare })
      const result = await transactOn(
        createSql(run),
        () => act(createSql(query)).finally(() => signal?.throwIfAborted()),
        readonly ? 'BEGIN' : 'BEGIN IMMEDIATE',
      )
      guard()
      return result
    } finally {
      end()
    }
  }

  return {
    transact,
    /** A statement of the transaction that has begun. */
    call: thread.call,
    /** A statement outside of transactions. */
    async once<Result>(call: StorageCall): Promise<Result> {
      const end = await takeTurn()
      return thread.call<Result>(call).finally(end)
    },
    /**
     * Moves the log into the file as far as nothing has to be waited for but the turn, and says whether that was all of it. A kill in a
     * checkpoint leaves no record of the file, so that the turn comes first. Undefined where another process does the same.
     */
    async checkpoint(mode: 'PASSIVE' | 'TRUNCATE', options: { serving: boolean }) {
      const end = await takeTurn()
      async function move() {
        try {
          return await thread.call<boolean>({ method: 'checkpoint', mode })
        } catch (error) {
          if (isBusy(error)) return false
          throw error
        } finally {
          end()
        }
      }
      return runCheckpoint(file, move, options).finally(end)
    },
    /** The next write starts the thread again. */
    async close() {
      await last
      await thread.close()
    },
  }
}

export type Writer = ReturnType<typeof createWriter>
