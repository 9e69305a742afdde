import { createThread } from '../db/sqlite/thread.ts'
import { workerFile } from '../worker-options.ts'
import { createUsageStore, type UsageCall } from './usage-store.ts'

/** The usage file of a serving process, in a thread of its own: its writes take no time of the thread that answers requests. */
export function createUsageThread(databaseFile: string) {
  const thread = createThread<UsageCall>(workerFile('usage-worker', import.meta.url), {
    workerData: { databaseFile },
  })
  return { store: createUsageStore((call) => thread.call(call)), close: thread.close }
}
