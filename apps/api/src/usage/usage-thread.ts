import { createThread } from '../db/sqlite/thread.ts'
import { workerFile } from '../worker-options.ts'
import type { LastUses, UsageStore } from './usage-store.ts'

type Methods = UsageStore & { lastUses: (keyIds?: readonly string[]) => Promise<LastUses> }

/** A method of the usage file, and its arguments. */
export interface UsageCall {
  method: keyof Methods
  given: unknown[]
}

/** The usage file of a serving process, in a thread of its own: its writes take no time of the thread that answers requests. */
export function createUsageThread(databaseFile: string) {
  const thread = createThread<UsageCall>(workerFile('usage-worker', import.meta.url), { databaseFile })
  // Every method of the store is a call of the same name.
  const store = new Proxy({} as Methods, {
    get:
      (_, method: keyof Methods) =>
      (...given: unknown[]) =>
        thread.call({ method, given }),
  })
  return { store, close: thread.close }
}
