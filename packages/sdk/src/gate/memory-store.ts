import { matches, readOptions } from '../options.ts'
import { type GateStore, sealed } from './gate-store.ts'
import { createMemory } from './memory.ts'
import { openStore } from './open-store.ts'

const rules = { maxEntries: matches(/^[1-9]\d{0,8}$/) }

/**
 * A store in the memory of the process, for gates that share their results. A gate without a store has a memory of its own.
 *
 * Takes `maxEntries`, 10,000 by default, for valid codes and as much again for invalid ones, which evict no valid one.
 *
 * @example
 * const store = createMemoryStore({ maxEntries: 1_000 })
 * const gate = createGate({ client, store, onUnknown: 'deny' })
 */
export function createMemoryStore(options: { readonly maxEntries?: number | undefined } = {}): GateStore {
  const { get, set, remove } = createMemory(readOptions(options, rules).maxEntries)
  return Object.freeze<GateStore>({
    [sealed]: openStore,
    get: async (key) => get(key),
    set: async (key, entry) => set(key, entry),
    async replace(key, previous, entry) {
      const isSame = get(key) === previous
      if (isSame) set(key, entry)
      return isSame
    },
    delete: async (key) => remove(key),
  })
}
