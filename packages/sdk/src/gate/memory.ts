import type { GateEntry, OpenedStore, OpenOptions } from './gate-store.ts'

const maxEntries = 10_000

/** A bounded number of entries in memory. Those that anybody can cause by typing are kept apart: they evict no valid one. */
export function createMemory() {
  const valid = new Map<string, GateEntry>()
  const others = new Map<string, GateEntry>()
  const remove = (key: string) => void (valid.delete(key) || others.delete(key))
  return {
    get: (key: string) => valid.get(key) ?? others.get(key),
    set(key: string, entry: GateEntry): void {
      remove(key)
      const entries = entry.outcome === 'valid' ? valid : others
      entries.set(key, entry)
      const [oldest = ''] = entries.keys()
      if (entries.size > maxEntries) entries.delete(oldest)
    },
    remove,
  }
}

/** The memory of one gate. */
export function openMemory({ now }: Pick<OpenOptions, 'now'>): OpenedStore {
  const { get, set, remove } = createMemory()
  let mark = 0
  return {
    find(code, settings) {
      // A gate is of one client: only its key may change.
      const key = `${settings?.state.key} ${code}`
      const entry = get(key)
      const time = now()
      mark = Math.max(mark, time)
      const isUsable = entry && time >= Math.max(mark, entry.at) && time < (entry.until ?? time + 1)
      return { key, entry, age: isUsable ? time - entry.at : Number.NaN }
    },
    set,
    remove,
    run: (_, work) => work(),
    trust() {
      mark = now()
    },
  }
}
