import { race } from '../race.ts'
import type { GateEntry, GateStore } from './gate-store.ts'
import { createMemory } from './memory.ts'

const timeoutMs = 500
// After a timeout, so that no check waits for more than one.
const pauseMs = 10_000

/**
 * A store that neither fails nor hangs. What could not be written is kept in memory, where it is newer than what the store has: a
 * no must win.
 */
export function resilientStore(store: GateStore, report: (error: unknown) => unknown) {
  const unwritten = createMemory()
  let pausedUntil = 0
  /** `failed` runs where `work` fails, where it takes too long, and where an earlier one did. */
  async function bound<T>(work: () => Promise<T> | undefined, failed?: () => void): Promise<T | undefined> {
    try {
      if (performance.now() < pausedUntil) throw new Error('the store took too long before')
      return await race(async () => await work(), timeoutMs)
    } catch (error) {
      if (Object(error).kind === 'timeout') pausedUntil = performance.now() + pauseMs
      failed?.()
      report(error)
      return undefined
    }
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
    /** `false` where the store has another entry than `previous`. */
    replace(key: string, previous: GateEntry | undefined, entry: GateEntry, keepMs: number) {
      unwritten.remove(key)
      return bound(
        () => store.replace?.(key, previous, entry, keepMs),
        () => unwritten.set(key, entry),
      )
    },
    delete(key: string) {
      unwritten.remove(key)
      return bound(() => store.delete(key))
    },
  }
}
