import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { workerOptions } from '../../worker-options.ts'
import type { QueryParameter } from '../database.ts'
import { codeOf, DatabaseError, type ErrorMessage, fromMessage, fromSystem } from '../errors.ts'

export interface ReaderQuery {
  id: number
  sql: string
  parameters: readonly QueryParameter[]
}

/** Sent to the worker in place of a query: no other one follows. */
export type ReaderEnd = 'end'

export type ReaderResponse = { id: number; rows: unknown[] } | { id: number; error: ErrorMessage }

interface ReaderOptions {
  file: string
  /** Throws when the database must not be read. */
  guard: () => void
}

/** Node.js runs the source as it is; in a build it lies beside the bundle of this module (an entry of tsdown.config.ts). */
const fromSource = import.meta.url.endsWith('.ts')
const workerFile = new URL(fromSource ? './reader-worker.ts' : './reader-worker.mjs', import.meta.url)

/** A shutdown does not wait longer for a query. */
const endWithinMs = 2000

/** Runs queries that read many rows in a worker thread, which starts with the first of them: the driver is synchronous. */
export function createReader({ file, guard }: ReaderOptions) {
  const waiting = new Map<number, PromiseWithResolvers<unknown[]>>()
  let count = 0
  let thread: Worker | undefined

  function receive(response: ReaderResponse) {
    const query = waiting.get(response.id)
    waiting.delete(response.id)
    if ('rows' in response) return query?.resolve(response.rows)
    query?.reject(fromMessage(response.error))
  }

  function start(): Worker {
    const started = new Worker(workerFile, { workerData: { file }, ...workerOptions() })
    function end(error: unknown) {
      if (thread === started) thread = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    return started
      .on('message', receive)
      .on('error', (error) => end(new DatabaseError('no_resources', codeOf(error) ?? 'READER_FAILED', error)))
      .on('exit', () => end(new DatabaseError('no_resources', 'READER_ENDED')))
  }

  return {
    async read<Row>(sql: string, ...parameters: QueryParameter[]): Promise<Row[]> {
      guard()
      try {
        thread ??= start()
      } catch (error) {
        throw fromSystem(error)
      }
      const id = count++
      const query = Promise.withResolvers<unknown[]>()
      waiting.set(id, query)
      thread.postMessage({ id, sql, parameters } satisfies ReaderQuery)
      const rows = await query.promise
      guard()
      // The caller knows the columns of its query.
      return rows as Row[]
    },
    /** Asks the worker to end by itself: terminated in the middle of native code it could take the process with it. */
    async close() {
      if (!thread) return
      const ending = thread
      const exited = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
      ending.postMessage('end' satisfies ReaderEnd)
      await Promise.race([exited, delay(endWithinMs, undefined, { ref: false })])
      ending.unref()
    },
  }
}
