import { Worker } from 'node:worker_threads'
import { fromMessage, fromSystem } from '../db/errors.ts'
import { workerOptions } from '../worker-options.ts'
import { type ImportDatabase, ImportError, type ImportOptions, type ImportResult } from './import.ts'
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.ts'

/** Node.js runs the source as it is; what is built lies beside this module's own bundle (an entry of tsdown.config.ts). */
const fromSource = import.meta.url.endsWith('.ts')
const workerFile = new URL(fromSource ? './import-worker.ts' : './import-worker.mjs', import.meta.url)

const databaseOf = (options: ImportDatabase): ImportDatabase =>
  'databaseFile' in options ? { databaseFile: options.databaseFile } : { databaseUrl: options.databaseUrl }

function startWorker(options: ImportOptions, stopped: SharedArrayBuffer) {
  const { now, dryRun, maxErrors, locale, actor, byHand, vault } = options
  const { auditKey } = vault
  const given = { dryRun, maxErrors, locale, actor, byHand, auditKey, stopped }
  const task: WorkerTask = { ...databaseOf(options), now: now(), ...given }
  try {
    return new Worker(workerFile, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      ...workerOptions(),
    })
  } catch (error) {
    throw fromSystem(error)
  }
}

/**
 * A worker that can be stopped. It is not terminated, in the middle of native code perhaps, which this process shares: it rolls back
 * and closes what it has open, and ends by itself.
 */
function startStoppable(options: ImportOptions) {
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = startWorker(options, stopped.buffer)
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  return {
    worker,
    /** To one that is done already it means nothing. */
    async stop() {
      Atomics.store(stopped, 0, 1)
      worker.postMessage({ type: 'stop' } satisfies ToWorker)
      await ended
    },
  }
}

/** Gives the source's chunks one at a time, so that a slow worker slows its source down. */
async function sendChunk(worker: Worker, chunks: AsyncIterator<Uint8Array>) {
  const send = (message: ToWorker, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer)
  const { done, value } = await chunks.next()
  if (done) return send({ type: 'end' })
  // A copy: to post a part of a buffer is to post all of it.
  const bytes = new Uint8Array(value)
  send({ type: 'chunk', bytes }, [bytes.buffer])
}

/** `importRecords` in a thread of its own, so that the process goes on serving. */
export async function importInWorker(options: ImportOptions): Promise<ImportResult> {
  const { source, vault, signal, onProgress } = options
  signal?.throwIfAborted()
  const { worker, stop } = startStoppable(options)
  const chunks = source[Symbol.asyncIterator]()
  const { promise, resolve, reject } = Promise.withResolvers<ImportResult>()
  const abort = () => reject(signal?.reason)

  async function handle(message: FromWorker) {
    if (message.type === 'more') await sendChunk(worker, chunks)
    else if (message.type === 'seal') {
      const { key } = message
      worker.postMessage({ type: 'sealed', hash: await vault.hash(key), sealed: await vault.seal(key) })
    } else if (message.type === 'progress') onProgress?.(message.progress)
    else if (message.type === 'done') resolve(message.result)
    else if (message.type === 'refused') reject(new ImportError(message.problems, message.more))
    else reject(fromMessage(message.error))
  }

  worker.on('message', (message: FromWorker) => handle(message).catch(reject))
  worker.on('error', (error) => reject(fromSystem(error)))
  worker.on('exit', () => reject(new Error('the import worker ended without an answer')))
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', abort)
    // Not awaited: a source that waits for its next chunk ends only after that.
    chunks.return?.()?.catch(() => {})
    await stop()
  }
}
