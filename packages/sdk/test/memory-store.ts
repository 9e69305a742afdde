import { type GateEntry, type GateStore, sealed } from '../src/gate/gate-store.ts'
import { openStore } from '../src/gate/open-store.ts'

/** A store that several gates share, without the cryptography of a sealed one. */
export function createMemoryStore(): GateStore & { replace: NonNullable<GateStore['replace']> } {
  const entries = new Map<string, GateEntry>()
  return {
    [sealed]: openStore,
    get: async (key) => entries.get(key),
    set: async (key, entry) => void entries.set(key, entry),
    replace: async (key, previous, entry) => entries.get(key) === previous && !!entries.set(key, entry),
    delete: async (key) => void entries.delete(key),
  }
}
