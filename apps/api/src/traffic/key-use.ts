import type { Logger } from 'pino'
import type { Observation } from '../telemetry/observer.ts'
import { openTrafficFile, type TrafficFile } from './traffic-file.ts'

interface KeyUseOptions {
  databaseFile: string
  logger: Logger
  now: () => number
}

/** Each key is written at most so often. */
const flushEveryMs = 60_000

/** Remembers when keys were used, and writes it down from time to time: no request waits for that. */
export function createKeyUse({ databaseFile, logger, now }: KeyUseOptions) {
  let uses = new Map<string, number>()
  let file: TrafficFile | undefined

  function flush() {
    if (uses.size === 0) return
    try {
      file ??= openTrafficFile(databaseFile)
      file.noteKeyUse(uses)
      uses = new Map()
    } catch (error) {
      const { code } = error as { code?: string }
      logger.warn({ cause: { code } }, 'the last use of keys could not be written; it is tried again')
    }
  }

  const timer = setInterval(flush, flushEveryMs).unref()

  return {
    observe({ keyId }: Observation) {
      if (keyId !== undefined) uses.set(keyId, now())
    },
    close() {
      clearInterval(timer)
      flush()
      file?.close()
    },
  }
}
