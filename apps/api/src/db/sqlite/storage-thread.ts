import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { DriverAdapterError, type SqlQuery } from '@prisma/driver-adapter-utils'
import { workerOptions } from '../../worker-options.ts'
import { codeOf, DatabaseError, type ErrorMessage, fromMessage, fromSystem } from '../errors.ts'

export type StorageCall =
  /** A statement on the connection that writes, or a query on a connection of its own. */
  | { method: 'run' | 'read'; sql: string; values: readonly unknown[] }
  /** A statement of Prisma, on the connection that writes. */
  | { method: 'queryRaw' | 'executeRaw'; query: SqlQuery }

export interface StorageRequest {
  id: number
  call: StorageCall
}

export type StorageResponse = { id: number } & (
  | { result: unknown }
  | { driverError: DriverAdapterError['cause'] }
  | { error: ErrorMessage }
)

/** Node.js runs the source as it is; in a build it lies beside the bundle of this module (an entry of tsdown.config.ts). */
const fromSource = import.meta.url.endsWith('.ts')
const workerFile = new URL(fromSource ? './storage-worker.ts' : './storage-worker.mjs', import.meta.url)

/** A shutdown does not wait longer for a call. */
const endWithinMs = 2000

interface StorageOptions {
  file: string
  /** How long a statement waits for the lock of another process. */
  timeoutMs?: number
}

/** A thread that runs statements on an SQLite file, one after another; it starts with the first of them. The driver is synchronous. */
export function createStorageThread({ file, timeoutMs = 5000 }: StorageOptions) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  let thread: Worker | undefined

  function receive(response: StorageResponse) {
    const call = waiting.get(response.id)
    waiting.delete(response.id)
    if ('result' in response) call?.resolve(response.result)
    else if ('error' in response) call?.reject(fromMessage(response.error))
    else call?.reject(new DriverAdapterError(response.driverError))
  }

  function start(): Worker {
    const started = new Worker(workerFile, { workerData: { file, timeoutMs }, ...workerOptions() })
    function end(error: unknown) {
      if (thread === started) thread = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    return started
      .on('message', receive)
      .on('error', (error) =>
        end(new DatabaseError('no_resources', codeOf(error) || 'STORAGE_FAILED', error)),
      )
      .on('exit', () => end(new DatabaseError('no_resources', 'STORAGE_ENDED')))
  }

  return {
    call<Result>(call: StorageCall): Promise<Result> {
      const id = count++
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      try {
        thread ??= start()
        waiting.set(id, { promise, resolve, reject })
        thread.postMessage({ id, call } satisfies StorageRequest)
      } catch (error) {
        waiting.delete(id)
        reject(fromSystem(error))
      }
      // The caller knows what its statement gives.
      return promise as Promise<Result>
    },
    /** Asks the thread to end by itself: terminated in the middle of native code it could take the process with it. */
    async close() {
      if (!thread) return
      const ending = thread
      const exited = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
      ending.postMessage('end')
      await Promise.race([exited, delay(endWithinMs, undefined, { ref: false })])
      ending.unref()
    },
  }
}

export type StorageThread = ReturnType<typeof createStorageThread>
