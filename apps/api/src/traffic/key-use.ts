import type { Logger } from 'pino'
import type { Observation } from '../telemetry/observer.ts'
import type { TrafficStore } from './traffic-store.ts'

interface KeyUseOptions {
  store: () => Pick<TrafficStore, 'noteKeyUse'>
  logger: Logger
  now: () => number
}

/** Each key is written at most so often. */
const flushEveryMs = 60_000

/** Remembers when keys were used, and writes it down from time to time: no request waits for that. */
export function createKeyUse({ store, logger, now }: KeyUseOptions) {
  let uses = new Map<string, number>()

  async function flush() {
    if (uses.size === 0) return
    const written = uses
    uses = new Map()
    try {
      await store().noteKeyUse(written)
    } catch (error) {
      // What was used meanwhile was used later.
      uses = new Map([...written, ...uses])
      const { code } = error as { code?: string }
      logger.warn({ cause: { code } }, 'the last use of keys could not be written; it is tried again')
    }
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  return {
    observe({ keyId }: Observation) {
      if (keyId !== undefined) uses.set(keyId, now())
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
