import { race } from '../race.ts'
import type { GateEntry, GateStore } from './gate-store.ts'
import { createMemory } from './memory.ts'

const timeoutMs = 500

/**
 * A store that neither fails nor hangs. What could not be written is kept in memory, where it is newer than what the store has: a
 * no must win.
 */
export function resilientStore(store: GateStore, report: (error: unknown) => void) {
  const unwritten = createMemory()
  /** `failed` runs where `work` fails and where it takes too long. */
  const bound = <T>(work: () => Promise<T>, failed?: () => void): Promise<T | undefined> => {
    const done = (async () => await work())()
    return race(done, timeoutMs).catch((error) => {
      failed?.()
      report(error)
      return undefined
    })
  }
  return {
    async get(key: string) {
      const found = await bound(() => store.get(key))
      const newer = unwritten.get(key)
      return newer && !(found && found.at > newer.at) ? newer : found
    },
    set(key: string, entry: GateEntry, keepMs: number) {
      unwritten.remove(key)
      return bound(
        () => store.set(key, entry, keepMs),
        () => unwritten.set(key, entry),
      )
    },
    delete(key: string) {
      unwritten.remove(key)
      return bound(() => store.delete(key))
    },
  }
}
