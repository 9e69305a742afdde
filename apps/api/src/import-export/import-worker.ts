import { parentPort } from 'node:worker_threads'
import { createKeyVault } from '../crypto/key-vault.ts'
import { fromSystem, toMessage } from '../db/errors.ts'
import { ImportError } from '../domain/imports.ts'
import { importRecords } from './import.ts'
import type { WorkerReport, WorkerTask } from './import-in-worker.ts'

function toReport(error: unknown): WorkerReport {
  if (error instanceof ImportError) return { problems: error.problems, more: error.more }
  // The files of the worker are those of the database.
  return { error: toMessage(fromSystem(error)) }
}

async function run({ port, now, secret, ...task }: WorkerTask) {
  const report = (message: WorkerReport) => port.postMessage(message)
  try {
    const result = await importRecords({
      ...task,
      now: () => now,
      vault: createKeyVault(secret),
      onProgress: (progress) => report({ progress }),
    })
    report({ result })
  } catch (error) {
    report(toReport(error))
  } finally {
    port.close()
  }
}

parentPort?.on('message', (message: WorkerTask | 'end') => {
  if (message === 'end') parentPort?.close()
  else void run(message)
})
