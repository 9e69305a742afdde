import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import { workerOptions } from '../../worker-options.ts'
import {
  DatabaseError,
  type ErrorMessage,
  fromMessage,
  fromSystem,
  readErrorCode,
  toMessage,
} from '../errors.ts'
import { fromSqlite } from './errors.ts'

interface Request<Call> {
  id: number
  call: Call
}

type Response = { id: number } & ({ result: unknown } | { error: ErrorMessage })

/** A shutdown does not wait longer for a call. */
const endWithinMs = 2000

interface ThreadOptions {
  workerData: object
  resourceLimits?: ResourceLimits
  /** After so long without a call it ends, and the next call starts another. */
  keptMs?: number
}

/** A thread for a synchronous driver: it answers calls one after another, and starts with the first of them. */
export function createThread<Call>(workerFile: URL, { keptMs, ...options }: ThreadOptions) {
  let thread: { worker: Worker; waiting: Map<number, PromiseWithResolvers<unknown>> } | undefined
  let keeping: NodeJS.Timeout | undefined
  let count = 0

  function start() {
    const worker = new Worker(workerFile, { ...options, ...workerOptions() })
    const waiting = new Map<number, PromiseWithResolvers<unknown>>()
    function receive(response: Response) {
      const call = waiting.get(response.id)
      waiting.delete(response.id)
      if (keptMs !== undefined && waiting.size === 0) keeping = setTimeout(endIdle, keptMs).unref()
      if ('result' in response) call?.resolve(response.result)
      else call?.reject(fromMessage(response.error))
    }
    function end(error: unknown) {
      if (thread?.worker === worker) thread = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker
      .on('message', receive)
      .on('error', (error) =>
        end(new DatabaseError('no_resources', readErrorCode(error) || 'THREAD_FAILED', error)),
      )
      .on('exit', () => end(new DatabaseError('no_resources', 'THREAD_ENDED')))
    return { worker, waiting }
  }

  function endIdle() {
    thread?.worker.postMessage('end')
    thread = undefined
  }

  return {
    call<Result>(call: Call, transferred: Transferable[] = []): Promise<Result> {
      const id = count++
      const answer = Promise.withResolvers<unknown>()
      clearTimeout(keeping)
      try {
        thread ??= start()
        thread.waiting.set(id, answer)
        thread.worker.postMessage({ id, call } satisfies Request<Call>, transferred)
      } catch (error) {
        thread?.waiting.delete(id)
        answer.reject(fromSystem(error))
      }
      // The caller knows what its call gives.
      return answer.promise as Promise<Result>
    },
    /** Asks the thread to end by itself: terminated in the middle of native code it could take the process with it. */
    async close() {
      if (!thread) return
      const ending = thread.worker
      const exited = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
      ending.postMessage('end')
      await Promise.race([exited, delay(endWithinMs, undefined, { ref: false })])
      ending.unref()
    },
  }
}

interface Handler<Call> {
  execute: (call: Call) => unknown
  /** Before the thread ends. */
  close: () => void
}

/** The other side: answers the calls of the process, within the thread. */
export function answerCalls<Call>({ execute, close }: Handler<Call>) {
  const port = parentPort
  if (!port) throw new Error('calls are answered in a worker thread')

  async function respond({ id, call }: Request<Call>): Promise<Response> {
    try {
      return { id, result: await execute(call) }
    } catch (error) {
      return { id, error: toMessage(fromSystem(fromSqlite(error))) }
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  port.on('message', (request: Request<Call> | 'end') => {
    // In the order in which they came: opening a connection takes several turns.
    last = last.then(async () => {
      if (request !== 'end') return port.postMessage(await respond(request))
      close()
      port.close()
    })
  })
}
