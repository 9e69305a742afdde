import { type MessagePort, parentPort } from 'node:worker_threads'
import { fromSystem, toMessage } from '../db/errors.ts'
import { ImportError } from '../domain/imports.ts'
import { importRecords } from './import.ts'
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
function createStopSignal(port: MessagePort): AbortSignal {
  const controller = new AbortController()
  port.on('message', ({ type }: ToWorker) => {
    if (type === 'stop') controller.abort()
  })
  return controller.signal
}

/** Asks the process, one request at a time: each has one response, or is aborted. */
function createClient(port: MessagePort, throwIfAborted: () => void) {
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
  return { send, request }
}

type Client = ReturnType<typeof createClient>

async function* chunks({ request }: Client): AsyncGenerator<Uint8Array> {
  for (
    let response = await request({ type: 'more' });
    response.type === 'chunk';
    response = await request({ type: 'more' })
  ) {
    yield response.bytes
  }
}

/** A `KeySealer` that asks once for both. */
function createSealer({ request }: Client): KeySealer {
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

async function run({ port, now, stopped, ...task }: WorkerTask) {
  const throwIfAborted = createAbortCheck(stopped)
  const client = createClient(port, throwIfAborted)
  try {
    const result = await importRecords({
      ...task,
      throwIfAborted,
      signal: createStopSignal(port),
      now: () => now,
      source: chunks(client),
      vault: createSealer(client),
      onProgress: (progress) => client.send({ type: 'progress', progress }),
    })
    client.send({ type: 'done', result })
  } catch (error) {
    client.send(failure(error))
  } finally {
    port.close()
  }
}

parentPort?.on('message', (message: WorkerTask | 'end') => {
  if (message === 'end') parentPort?.close()
  else void run(message)
})
