import type { OperationName } from '@saleproof/schema'
import type { Logger } from 'pino'
import type { RequestEvent } from '../observability/observer.ts'
import { clientOf, userAgentIn } from './client.ts'
import type { UsageStore } from './usage-store.ts'

interface KeyUseOptions {
  store: () => Pick<UsageStore, 'noteKeyUse'>
  logger: Logger
  now: () => number
}

interface Use {
  at: number
  operation: OperationName
  userAgent: string
}

/** Each key is written at most so often, unless somebody looks. */
const flushEveryMs = 60_000
/** Nobody sees the difference, and a key that is used all the time is not looked at for each request. */
const sameUseMs = 1000

const isSameUse = ({ at }: Use, time: number) => time >= at && time - at < sameUseMs

/** Remembers when keys were used, and by what, and writes it down from time to time: no request waits for that. */
export function createKeyUse({ store, logger, now }: KeyUseOptions) {
  let uses = new Map<string, Use>()

  async function flush() {
    if (uses.size === 0) return
    const written = uses
    uses = new Map()
    try {
      const noted = [...written].map(
        ([keyId, { at, operation, userAgent }]) =>
          [keyId, { at, operation, client: clientOf(userAgent) }] as const,
      )
      await store().noteKeyUse(new Map(noted))
    } catch (error) {
      // What was used meanwhile was used later.
      uses = new Map([...written, ...uses])
      const { code } = error as { code?: string }
      logger.warn({ cause: { code } }, 'the last use of keys could not be written; it is tried again')
    }
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  return {
    observe({ keyId, operation, rawHeaders }: RequestEvent) {
      if (keyId === undefined || operation === undefined) return
      const time = now()
      const known = uses.get(keyId)
      if (known && isSameUse(known, time)) return
      uses.set(keyId, { at: time, operation, userAgent: userAgentIn(rawHeaders) })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
