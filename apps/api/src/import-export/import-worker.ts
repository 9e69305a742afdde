import { parentPort, workerData } from 'node:worker_threads'
import { ImportError, importRecords } from './import.ts'
import type { KeySealer } from './stage.ts'
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.ts'

/** Makes the function that throws once the process has said to stop. */
function createGoOn(shared: SharedArrayBuffer) {
  const stopped = new Int32Array(shared)
  return () => {
    if (Atomics.load(stopped, 0) === 1) throw new Error('the import was stopped')
  }
}

/** The process's side of the port, one question at a time: each question has one answer, or is told to stop. */
function createPort(throwIfAborted: () => void) {
  if (!parentPort) throw new Error('import-worker runs in a worker thread')
  const port = parentPort
  const tell = (message: FromWorker) => port.postMessage(message)
  async function ask(message: FromWorker) {
    // Nobody listened if it was said before.
    throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<ToWorker>()
    port.once('message', resolve)
    tell(message)
    const answer = await promise
    throwIfAborted()
    return answer
  }
  return { tell, ask, close: () => port.close() }
}

type Port = ReturnType<typeof createPort>

async function* chunks({ ask }: Port): AsyncGenerator<Uint8Array> {
  for (
    let answer = await ask({ type: 'more' });
    answer.type === 'chunk';
    answer = await ask({ type: 'more' })
  ) {
    yield answer.bytes
  }
}

/** A `KeySealer` that asks once for both. */
function createSealer({ ask }: Port): KeySealer {
  let last: { key: string; hash: string; sealed: Uint8Array } | undefined
  async function both(key: string) {
    if (last?.key === key) return last
    const answer = await ask({ type: 'seal', key })
    if (answer.type !== 'sealed') throw new Error(`unexpected ${answer.type}`)
    last = { key, hash: answer.hash, sealed: answer.sealed }
    return last
  }
  return { hash: async (key) => (await both(key)).hash, seal: async (key) => (await both(key)).sealed }
}

function failure(error: unknown): FromWorker {
  if (error instanceof ImportError) return { type: 'refused', problems: error.problems, more: error.more }
  const { name, message, code } = error as Error & { code?: string }
  return { type: 'failed', name, message, code }
}

async function run({ now, auditKey, stopped, ...task }: WorkerTask) {
  const throwIfAborted = createGoOn(stopped)
  const port = createPort(throwIfAborted)
  try {
    const result = await importRecords({
      ...task,
      throwIfAborted,
      now: () => now,
      source: chunks(port),
      vault: { ...createSealer(port), auditKey },
      onProgress: (progress) => port.tell({ type: 'progress', progress }),
    })
    port.tell({ type: 'done', result })
  } catch (error) {
    port.tell(failure(error))
  } finally {
    port.close()
  }
}

await run(workerData as WorkerTask)
