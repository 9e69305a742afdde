import { Worker } from 'node:worker_threads'
import { fromSystem } from '../db/errors.ts'
import { workerFile, workerOptions } from '../worker-options.ts'

function startWorker(forget: (worker: Worker) => void): Worker {
  try {
    const worker = new Worker(workerFile('import-worker', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      ...workerOptions(),
    })
    // The import that it ends with reports it.
    return worker.on('error', () => {}).once('exit', () => forget(worker))
  } catch (error) {
    throw fromSystem(error)
  }
}

/** Worker threads for imports. One that is done takes the next import, or ends after `keptMs` without any. */
export function createWorkerPool(keptMs: number) {
  const idle = new Map<Worker, NodeJS.Timeout>()

  function forget(worker: Worker) {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
  }

  /** It is not terminated, in the middle of native code perhaps, which this process shares: it ends by itself. */
  function end(worker: Worker) {
    forget(worker)
    worker.unref()
    worker.postMessage('end')
  }

  return {
    take(): Worker {
      const worker = [...idle.keys()].at(-1)
      if (!worker) return startWorker(forget)
      forget(worker)
      worker.ref()
      return worker
    },
    keep(worker: Worker) {
      worker.unref()
      idle.set(worker, setTimeout(end, keptMs, worker).unref())
    },
    end,
    close() {
      for (const worker of idle.keys()) end(worker)
    },
  }
}
