import { type GateEntry, type GateStore, sealed } from './gate-store.ts'

/** Where a gate keeps its entries: it neither fails nor hangs. */
export interface Entries {
  get(key: string): GateEntry | undefined | Promise<GateEntry | undefined>
  set(key: string, entry: GateEntry, keepMs: number): unknown
  delete(key: string): unknown
}

/** A bounded number of entries in memory. Those that anybody can cause by typing are kept apart: they evict no valid one. */
export function createMemory(maxEntries = 10_000) {
  const valid = new Map<string, GateEntry>()
  const others = new Map<string, GateEntry>()
  const remove = (key: string) => void (valid.delete(key) || others.delete(key))
  return {
    get: (key: string) => valid.get(key) ?? others.get(key),
    set(key: string, entry: GateEntry): void {
      remove(key)
      const entries = entry.outcome === 'valid' && !entry.alias ? valid : others
      entries.set(key, entry)
      const [oldest = ''] = entries.keys()
      if (entries.size > maxEntries) entries.delete(oldest)
    },
    delete: remove,
  }
}

/**
 * A store in the memory of the process, for gates that share their results. A gate without a store has a memory of its own.
 *
 * Takes `maxEntries`, 10,000 by default, for valid codes and as much again for invalid ones, which evict no valid one.
 *
 * @example
 * const store = createMemoryStore({ maxEntries: 1_000 })
 * const gate = createGate({ client, store, onUnknown: 'deny' })
 */
export function createMemoryStore({ maxEntries = 10_000 }: { maxEntries?: number } = {}): GateStore {
  const { get, set, delete: remove } = createMemory(maxEntries)
  return Object.freeze<GateStore>({
    [sealed]: true,
    get: async (key) => get(key),
    set: async (key, entry) => set(key, entry),
    delete: async (key) => remove(key),
  })
}
