import { parentPort, workerData } from 'node:worker_threads'
import { fromSystem, toMessage } from '../db/errors.ts'
import { ImportError, importRecords } from './import.ts'
import type { KeySealer } from './stage.ts'
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.ts'

/** Makes the function that throws once the process has said to stop. */
function createAbortCheck(shared: SharedArrayBuffer) {
  const stopped = new Int32Array(shared)
  return () => {
    if (Atomics.load(stopped, 0) === 1) throw new Error('the import was stopped')
  }
}

/** Aborted once the process has said to stop: what waits for a server hears it. */
function createStopSignal(): AbortSignal {
  const controller = new AbortController()
  parentPort?.on('message', ({ type }: ToWorker) => {
    if (type === 'stop') controller.abort()
  })
  return controller.signal
}

/** The port to the process, one request at a time: each has one response, or is aborted. */
function createPort(throwIfAborted: () => void) {
  if (!parentPort) throw new Error('import-worker runs in a worker thread')
  const port = parentPort
  const send = (message: FromWorker) => port.postMessage(message)
  async function request(message: FromWorker) {
    // A message that came earlier had no listener.
    throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<ToWorker>()
    port.once('message', resolve)
    send(message)
    const response = await promise
    throwIfAborted()
    return response
  }
  return { send, request, close: () => port.close() }
}

type Port = ReturnType<typeof createPort>

async function* chunks({ request }: Port): AsyncGenerator<Uint8Array> {
  for (
    let response = await request({ type: 'more' });
    response.type === 'chunk';
    response = await request({ type: 'more' })
  ) {
    yield response.bytes
  }
}

/** A `KeySealer` that asks once for both. */
function createSealer({ request }: Port): KeySealer {
  let last: { key: string; hash: string; sealed: Uint8Array } | undefined
  async function both(key: string) {
    if (last?.key === key) return last
    const response = await request({ type: 'seal', key })
    if (response.type !== 'sealed') throw new Error(`unexpected ${response.type}`)
    last = { key, hash: response.hash, sealed: response.sealed }
    return last
  }
  return { hash: async (key) => (await both(key)).hash, seal: async (key) => (await both(key)).sealed }
}

function failure(error: unknown): FromWorker {
  if (error instanceof ImportError) return { type: 'refused', problems: error.problems, more: error.more }
  // The files of the worker are those of the database.
  return { type: 'failed', error: toMessage(fromSystem(error)) }
}

async function run({ now, auditKey, stopped, ...task }: WorkerTask) {
  const throwIfAborted = createAbortCheck(stopped)
  const port = createPort(throwIfAborted)
  try {
    const result = await importRecords({
      ...task,
      throwIfAborted,
      signal: createStopSignal(),
      now: () => now,
      source: chunks(port),
      vault: { ...createSealer(port), auditKey },
      onProgress: (progress) => port.send({ type: 'progress', progress }),
    })
    port.send({ type: 'done', result })
  } catch (error) {
    port.send(failure(error))
  } finally {
    port.close()
  }
}

await run(workerData)
