import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { transferableAbortSignal } from 'node:util'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type ErrorMessage, fromMessage, fromSystem } from '../db/errors.ts'
import {
  ImportError,
  type ImportProblem,
  type ImportProgress,
  type ImportRequest,
  type ImportResult,
} from '../domain/imports.ts'
import type { ImportDatabase } from './import.ts'
import { createWorkerPool } from './worker-pool.ts'

/** One import, as it is sent to a worker. */
export type WorkerTask = Omit<ImportRequest, 'source' | 'now' | 'onProgress' | 'signal'> &
  ImportDatabase & {
    source: ReadableStream<Uint8Array>
    secret: string
    now: Date
    signal: AbortSignal
    /** For what this import reports; the worker closes it at its end. */
    port: MessagePort
  }

/** What an import reports to the process. */
export type WorkerReport =
  | { progress: ImportProgress }
  | { result: ImportResult }
  | { problems: readonly ImportProblem[]; more: boolean }
  | { error: ErrorMessage }

interface WorkerOptions {
  secret: string
  /** How long a thread without an import is kept. */
  keptMs?: number
  /** How long a thread may take to stop; one that takes longer is replaced. */
  stopMs?: number
}

/** `importRecords` in threads of their own, so that the process goes on serving. */
export function createImportWorkers({ secret, keptMs = 60_000, stopMs = 10_000 }: WorkerOptions) {
  const pool = createWorkerPool(keptMs)

  async function importInWorker(options: ImportRequest & ImportDatabase): Promise<ImportResult> {
    const { source, now, onProgress, signal: given, ...task } = options
    given?.throwIfAborted()
    const worker = pool.take()
    const { port1, port2: port } = new MessageChannel()
    const closed = once(port1, 'close')
    const stop = new AbortController()
    const { promise, resolve, reject } = Promise.withResolvers<ImportResult>()
    let isDone = false

    async function* chunks() {
      try {
        // A copy: to post a part of a buffer is to post all of it.
        for await (const chunk of source) yield new Uint8Array(chunk)
      } catch (error) {
        reject(error)
        throw error
      }
    }

    function receive(report: WorkerReport) {
      if ('progress' in report) return onProgress?.(report.progress)
      isDone = true
      if ('result' in report) resolve(report.result)
      else if ('error' in report) reject(fromMessage(report.error))
      else reject(new ImportError(report.problems, report.more))
    }

    const abort = () => reject(given?.reason)
    const fail = (error: unknown) => reject(fromSystem(error))
    const exit = () => reject(new Error('the import worker ended without an answer'))
    port1.on('message', receive)
    worker.once('error', fail).once('exit', exit)
    given?.addEventListener('abort', abort, { once: true })
    try {
      const stream = ReadableStream.from(chunks())
      const signal = transferableAbortSignal(stop.signal)
      const sent: WorkerTask = { ...task, source: stream, secret, now: now(), signal, port }
      worker.postMessage(sent, [stream, signal, port])
      return await promise
    } finally {
      given?.removeEventListener('abort', abort)
      // To one that is done already it means nothing.
      stop.abort()
      await Promise.race([closed, delay(stopMs, undefined, { ref: false })])
      worker.off('error', fail).off('exit', exit)
      if (isDone) pool.keep(worker)
      else pool.end(worker)
    }
  }

  return { importInWorker, close: pool.close }
}
