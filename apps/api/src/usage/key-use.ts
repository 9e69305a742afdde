import type { KeyVault } from '../crypto/key-vault.ts'
import type { RequestEvent } from '../http/request-event.ts'
import { readClient, userAgentIn } from './client.ts'
import { hourMs } from './counts.ts'
import type { KeyAddress, KeyUse, UsageBatch } from './usage-store.ts'

interface KeyUseOptions {
  vault: Pick<KeyVault, 'slot'>
  now: () => number
}

type KeyBatch = Pick<UsageBatch, 'keyUses' | 'addresses'>

/** Uses closer together count as one, so that a busy key costs nothing per request. */
const sameUseMs = 1000
/** The least time between two writes of a key, unless the last uses are read. */
const takeEveryMs = 60_000

/**
 * Collects the last use of each key, and from where secret keys are used: not the addresses, only which slot each is in, by the secret of
 * the deployment. The slots of a key are at most as many as its addresses, and few addresses rarely share one.
 */
export function createKeyUse({ vault, now }: KeyUseOptions) {
  let uses = new Map<string, KeyUse>()
  let addresses = new Map<string, KeyAddress>()
  let takenAt = now()

  const isSince = (at: number, ms: number, time: number) => time >= at && time - at < ms

  return {
    observe({ keyId, operation, rawHeaders, clientAddress }: RequestEvent) {
      if (keyId === undefined || operation === undefined) return
      const at = now()
      const known = uses.get(keyId)
      if (known && isSince(known.at, sameUseMs, at)) return
      uses.set(keyId, { keyId, at, operation, client: readClient(userAgentIn(rawHeaders)) })
      // Once a second for each key: from many addresses it is used for longer than that.
      if (clientAddress === undefined) return
      // One of 256; of another key it is another one.
      const slot = vault.slot(`${keyId} ${clientAddress}`)
      addresses.set(`${keyId} ${slot}`, { keyId, slot, hour: Math.floor(at / hourMs) })
    },

    take(all: boolean): KeyBatch {
      if (!all && isSince(takenAt, takeEveryMs, now())) return { keyUses: [], addresses: [] }
      takenAt = now()
      const taken = { keyUses: [...uses.values()], addresses: [...addresses.values()] }
      uses = new Map()
      addresses = new Map()
      return taken
    },
  }
}
