import type { OperationName } from '@saleproof/schema'
import type { Logger } from 'pino'
import type { RequestEvent } from '../http/request-event.ts'
import { createBufferedWriter } from './buffered-writer.ts'
import { readClient, userAgentIn } from './client.ts'
import { createKeyAddresses, type SlotOf } from './key-addresses.ts'
import type { KeyUse, UsageStore } from './usage-store.ts'

interface KeyUseOptions {
  store: () => Pick<UsageStore, 'recordKeyUse'>
  slotOf: SlotOf
  logger: Logger
  now: () => number
}

interface Use {
  at: number
  operation: OperationName
  userAgent: string
}

/** The least time between two writes of a key, unless the last uses are read. */
const flushEveryMs = 60_000
/** Uses closer together count as one, so that a busy key costs nothing per request. */
const sameUseMs = 1000

const isSameUse = ({ at }: Use, time: number) => time >= at && time - at < sameUseMs

const toKeyUse = ({ at, operation, userAgent }: Use): KeyUse => ({
  at,
  operation,
  client: readClient(userAgent),
})

/**
 * Collects the last use of each key in memory, and from where secret keys are used, and writes it from time to time. No request waits for
 * that.
 */
export function createKeyUse({ store, slotOf, logger, now }: KeyUseOptions) {
  let uses = new Map<string, Use>()
  const addresses = createKeyAddresses(slotOf)

  async function write() {
    if (uses.size === 0) return
    const written = uses
    const rows = addresses.take()
    uses = new Map()
    try {
      await store().recordKeyUse(new Map([...written].map(([keyId, use]) => [keyId, toKeyUse(use)])), rows)
    } catch (error) {
      // Uses recorded meanwhile are later ones, and win.
      uses = new Map([...written, ...uses])
      addresses.putBack(rows)
      throw error
    }
  }

  const failure = 'last uses of keys could not be written, will retry'
  const { flush, close } = createBufferedWriter({ logger, everyMs: flushEveryMs, failure, write })

  return {
    observe({ keyId, operation, rawHeaders, clientAddress }: RequestEvent) {
      if (keyId === undefined || operation === undefined) return
      const time = now()
      const known = uses.get(keyId)
      if (known && isSameUse(known, time)) return
      uses.set(keyId, { at: time, operation, userAgent: userAgentIn(rawHeaders) })
      // Once a second for each key: from many addresses it is used for longer than that.
      if (clientAddress !== undefined) addresses.observe(keyId, clientAddress, time)
    },
    flush,
    close,
  }
}
