import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { workerOptions } from '../../worker-options.ts'

export type QueryParameter = string | number | Date | null

/**
 * Rows of one query. `$1` is the first parameter. `fold(text)` is a text without the difference between capital and small or accented
 * letters, `holds(text, part)` whether one is part of another, both folded.
 */
export type Read = <Row>(sql: string, ...parameters: QueryParameter[]) => Promise<Row[]>

export interface ReaderQuestion {
  id: number
  sql: string
  parameters: readonly QueryParameter[]
}

/** What the thread is told in place of a question when there will be no other. */
export type ReaderEnd = 'end'

export type ReaderAnswer =
  | { id: number; rows: unknown[] }
  | { id: number; error: { name: string; message: string; code: string | undefined } }

interface ReaderOptions {
  file: string
  /** Throws when the database may not be asked. */
  guard: () => void
}

/** Node.js runs the source as it is; what is built lies beside this module's own bundle (an entry of tsdown.config.ts). */
const fromSource = import.meta.url.endsWith('.ts')
const workerFile = new URL(fromSource ? './reader-worker.ts' : './reader-worker.mjs', import.meta.url)

/** A query that takes longer than this is not waited for by who stops. */
const endWithinMs = 2000

/** As unknown an answer as any other that the database does not give. */
const ended = () => Object.assign(new Error('the reader has ended'), { name: 'DriverAdapterError' })

/**
 * Queries that look at many rows, in a thread of its own: the driver is synchronous, and every request would wait for them otherwise. The
 * thread is started for the first of them.
 */
export function createReader({ file, guard }: ReaderOptions) {
  const waiting = new Map<number, PromiseWithResolvers<unknown[]>>()
  let count = 0
  let thread: Worker | undefined

  function receive(answer: ReaderAnswer) {
    const question = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('rows' in answer) return question?.resolve(answer.rows)
    const { name, message, code } = answer.error
    question?.reject(Object.assign(new Error(message), { name, ...(code !== undefined && { code }) }))
  }

  function forget(started: Worker) {
    if (thread === started) thread = undefined
    for (const { reject } of waiting.values()) reject(ended())
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(workerFile, {
      workerData: { file },
      ...workerOptions(),
    })
    started.on('message', receive)
    started.on('error', () => forget(started))
    started.on('exit', () => forget(started))
    return started
  }

  const read = async (sql: string, ...parameters: QueryParameter[]) => {
    guard()
    thread ??= start()
    const id = count++
    const question = Promise.withResolvers<unknown[]>()
    waiting.set(id, question)
    thread.postMessage({ id, sql, parameters } satisfies ReaderQuestion)
    const rows = await question.promise
    guard()
    return rows
  }

  return {
    read: read as Read,
    /** Lets it end by itself: it is not terminated, in the middle of native code perhaps, which this process shares. */
    async close() {
      if (!thread) return
      const ending = thread
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
      ending.postMessage('end' satisfies ReaderEnd)
      await Promise.race([ended, delay(endWithinMs, undefined, { ref: false })])
      ending.unref()
    },
  }
}
