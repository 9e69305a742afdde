import { workerData } from 'node:worker_threads'
import { createKeyVault } from '../crypto/key-vault.ts'
import { answerCalls } from '../db/sqlite/thread.ts'
import { ImportError } from '../domain/imports.ts'
import { readFile } from '../files.ts'
import { importRecords } from './import.ts'
import type { WorkerResult, WorkerTask } from './import-in-worker.ts'

const { secret }: { secret: string } = workerData
const vault = createKeyVault(secret)

async function execute({ now, ...task }: WorkerTask): Promise<WorkerResult> {
  try {
    const source = task.source ?? readFile(task.file ?? '')
    return await importRecords({ ...task, source, vault, now: () => now })
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    return { problems: error.problems, more: error.more }
  }
}

answerCalls<WorkerTask>({ execute, close() {} })
