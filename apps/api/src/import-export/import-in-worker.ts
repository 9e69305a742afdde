import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { fromMessage, fromSystem } from '../db/errors.ts'
import { ImportError, type ImportResult } from '../domain/imports.ts'
import type { ImportDatabase, ImportOptions } from './import.ts'
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.ts'
import { createWorkerPool } from './worker-pool.ts'

const pickDatabase = (options: ImportDatabase): ImportDatabase =>
  'databaseFile' in options ? { databaseFile: options.databaseFile } : { databaseUrl: options.databaseUrl }

/** Hands an import to a worker; the port is closed once that is done with it. */
function startTask(worker: Worker, options: ImportOptions) {
  const { now, dryRun, maxErrors, locale, actor, manual, own } = options
  const { port1: port, port2 } = new MessageChannel()
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const given = { dryRun, maxErrors, locale, actor, manual, own, stopped: stopped.buffer }
  const task: WorkerTask = { ...pickDatabase(options), now: now(), port: port2, ...given }
  const closed = once(port, 'close')
  worker.postMessage(task, [port2])
  /** To one that is done already it means nothing. */
  function stop() {
    Atomics.store(stopped, 0, 1)
    port.postMessage({ type: 'stop' } satisfies ToWorker)
  }
  return { port, closed, stop }
}

/** Gives the source's chunks one at a time, so that a slow worker slows its source down. */
async function sendChunk(port: MessagePort, chunks: AsyncIterator<Uint8Array>) {
  const send = (message: ToWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
  const { done, value } = await chunks.next()
  if (done) return send({ type: 'end' })
  // A copy: to post a part of a buffer is to post all of it.
  const bytes = new Uint8Array(value)
  send({ type: 'chunk', bytes }, [bytes.buffer])
}

interface WorkerOptions {
  /** How long a thread without an import is kept. */
  keptMs?: number
  /** How long a thread may take to stop; one that takes longer is replaced. */
  stopMs?: number
}

/** `importRecords` in threads of their own, so that the process goes on serving. */
export function createImportWorkers({ keptMs = 60_000, stopMs = 10_000 }: WorkerOptions = {}) {
  const pool = createWorkerPool(keptMs)

  async function importInWorker(options: ImportOptions): Promise<ImportResult> {
    const { source, vault, signal, onProgress } = options
    signal?.throwIfAborted()
    const worker = pool.take()
    const { port, closed, stop } = startTask(worker, options)
    const chunks = source[Symbol.asyncIterator]()
    const { promise, resolve, reject } = Promise.withResolvers<ImportResult>()
    let isDone = false

    async function handle(message: FromWorker) {
      if (message.type === 'more') return sendChunk(port, chunks)
      if (message.type === 'seal') {
        const { key } = message
        return port.postMessage({
          type: 'sealed',
          hash: await vault.hash(key),
          sealed: await vault.seal(key),
        })
      }
      if (message.type === 'progress') return onProgress?.(message.progress)
      isDone = true
      if (message.type === 'done') resolve(message.result)
      else if (message.type === 'refused') reject(new ImportError(message.problems, message.more))
      else reject(fromMessage(message.error))
    }

    const abort = () => reject(signal?.reason)
    const fail = (error: unknown) => reject(fromSystem(error))
    const exit = () => reject(new Error('the import worker ended without an answer'))
    port.on('message', (message: FromWorker) => handle(message).catch(reject))
    worker.once('error', fail).once('exit', exit)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', abort)
      // Not awaited: a source that waits for its next chunk ends only after that.
      chunks.return?.()?.catch(() => {})
      stop()
      await Promise.race([closed, delay(stopMs, undefined, { ref: false })])
      worker.off('error', fail).off('exit', exit)
      if (isDone) pool.keep(worker)
      else pool.end(worker)
    }
  }

  return { importInWorker, close: pool.close }
}
