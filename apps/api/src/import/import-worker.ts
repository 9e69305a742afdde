import { parentPort, workerData } from 'node:worker_threads'
import { ImportError, importRecords } from './import.ts'
import type { KeySealer } from './stage.ts'
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.ts'

/** The process's side of the port, one question at a time: each question has one answer. */
function createPort() {
  const port = parentPort
  if (!port) throw new Error('import-worker runs in a worker thread')
  const tell = (message: FromWorker) => port.postMessage(message)
  const ask = (message: FromWorker) => {
    const answer = new Promise<ToWorker>((resolve) => port.once('message', resolve))
    tell(message)
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

async function run({ now, auditKey, ...task }: WorkerTask, port: Port) {
  try {
    const result = await importRecords({
      ...task,
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

await run(workerData as WorkerTask, createPort())
