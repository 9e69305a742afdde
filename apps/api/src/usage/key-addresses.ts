import { hourMs } from './counts.ts'

/** A key was used in an hour from an address that is in this slot. */
export interface KeyAddress {
  keyId: string
  /** From 0 to 255. */
  slot: number
  /** Since 1970. */
  hour: number
}

/** Which of 256 slots an address is in; of another key it is in another one. */
export type SlotOf = (keyId: string, address: string) => number

/** Uses are counted for this many hours. */
export const addressHours = 24

/**
 * Collects from where keys are used: not the addresses, only which of 256 slots each is in, by the secret of the deployment. The slots of a
 * key are at most as many as its addresses, and few addresses rarely share one.
 */
export function createKeyAddresses(slotOf: SlotOf) {
  let keys = new Map<string, Map<number, number>>()

  function add({ keyId, slot, hour }: KeyAddress) {
    let slots = keys.get(keyId)
    if (!slots) {
      slots = new Map()
      keys.set(keyId, slots)
    }
    slots.set(slot, Math.max(hour, slots.get(slot) ?? hour))
  }

  return {
    observe(keyId: string, address: string, at: number) {
      add({ keyId, slot: slotOf(keyId, address), hour: Math.floor(at / hourMs) })
    },
    /** Returns what was collected since the last call. */
    take(): KeyAddress[] {
      const taken = keys
      keys = new Map()
      return [...taken].flatMap(([keyId, slots]) => [...slots].map(([slot, hour]) => ({ keyId, slot, hour })))
    },
    putBack: (rows: readonly KeyAddress[]) => rows.forEach(add),
  }
}
