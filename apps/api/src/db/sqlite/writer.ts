import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import type { Transact } from '../database.ts'
import { DatabaseError, isBusy } from '../errors.ts'
import { createLazyPrisma } from '../lazy-prisma.ts'
import type { Transaction, Write } from '../prisma.ts'
import { type Row, runSteps } from '../sql-steps.ts'
import { openSqlite, runSql, type SqliteConnection } from './connection.ts'
import { sqliteErrors } from './errors.ts'

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

/** The first statements are planned once. */
const maxPrepared = 100

/** Keeps the statements of a connection. */
function createPrepare(connection: SqliteConnection): SqliteConnection['prepare'] {
  const prepared = new Map<string, Statement<unknown[], unknown>>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? connection.prepare(sql)
    if (prepared.size < maxPrepared) prepared.set(sql, statement)
    return statement
  }
  // The caller knows the parameters and columns of its statement.
  return prepare as SqliteConnection['prepare']
}

/** A connection without Prisma, opened when it is needed, for transactions that are over within one turn of the event loop. */
function createPlainConnection({ file, guard = () => {} }: WriterOptions) {
  let opened: { connection: SqliteConnection; prepare: SqliteConnection['prepare'] } | undefined

  function open() {
    const connection = openSqlite(file, { timeoutMs: 0 })
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return { connection, prepare: createPrepare(connection) }
  }

  function close() {
    opened?.connection.close()
    opened = undefined
  }

  return {
    run<T>(act: (statements: Pick<SqliteConnection, 'prepare'>) => T, readonly: boolean): T {
      guard()
      opened ??= open()
      const { connection, prepare } = opened
      const transaction = connection.transaction(() => act({ prepare }))
      try {
        const result = sqliteErrors(() => (readonly ? transaction.deferred() : transaction.immediate()))
        guard()
        return result
      } catch (error) {
        // SQLite opens a file that may not be written for reading, and that connection stays so.
        if (error instanceof DatabaseError && error.kind === 'not_writable') close()
        throw error
      }
    },
    close,
  }
}

/**
 * Runs the transactions of a process that serves. It has a client of its own: a transaction on that of the readers would contain their
 * statements. It never waits for a lock, which would block the whole process, but retries.
 */
export function createWriter({ file, guard, timeoutMs = 5000 }: WriterOptions) {
  const plain = createPlainConnection(guard ? { file, guard } : { file })
  const { prisma, close } = createLazyPrisma({
    open: async () => (await import('./prisma.ts')).openPrisma({ file, busyTimeoutMs: 0 }),
    ...(guard && { guard }),
  })
  let last: Promise<unknown> = Promise.resolve()

  /** Tries until the lock is free. What fails after it was taken is not retried: it may have had effects elsewhere. */
  async function attempt<T>(run: (locked: () => void) => T | Promise<T>, deadline: number): Promise<T> {
    for (;;) {
      let locked = false
      try {
        return await run(() => {
          locked = true
        })
      } catch (error) {
        if (locked || !isBusy(error) || performance.now() >= deadline) throw error
      }
      await delay(retryMs)
    }
  }

  function takeTurn<T>(run: (locked: () => void) => T | Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs
    const turn = last.then(() => attempt(run, deadline))
    last = turn.catch(() => {})
    return turn
  }

  const write: Write = (act) =>
    takeTurn((locked) => {
      const run = async (tx: Transaction) => {
        await tx.$executeRawUnsafe(takeLock)
        locked()
        return act(tx)
      }
      return prisma.$transaction(run, { timeout: timeoutMs, maxWait: timeoutMs })
    })

  const transact: Transact = (steps, { readonly = false, throwIfAborted = () => {} } = {}) =>
    takeTurn(async (locked) => {
      // What else waits for the process goes first.
      await nextTurn()
      return plain.run((statements) => {
        locked()
        const result = runSteps(steps(), (sql, ...values) => {
          throwIfAborted()
          return runSql<Row>(statements, sql, ...values)
        })
        throwIfAborted()
        return result
      }, readonly)
    })

  return {
    write,
    transact,
    /** The next write opens the database again. */
    async close() {
      await last
      plain.close()
      await close()
    },
  }
}
