import { workerData } from 'node:worker_threads'
import { answerCalls } from '../db/sqlite/thread.ts'
import { monitorUsageFile } from './usage-file.ts'
import type { UsageCall } from './usage-thread.ts'

const { databaseFile }: { databaseFile: string } = workerData
const { use, close } = monitorUsageFile(databaseFile)

answerCalls<UsageCall>({
  execute({ method, given }) {
    // The types of the store are those of the file; a call passes both on as they are.
    const act = use()[method] as (...given: unknown[]) => unknown
    return act(...given)
  },
  close,
})
