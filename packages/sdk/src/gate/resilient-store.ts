import { race } from '../race.ts'
import type { GateEntry, GateStore } from './gate-store.ts'
import { createMemory } from './memory.ts'

// Half a second in all. A process that stalls uses up one wait, and sees after it what the store answered. A hidden page makes a
// second of each.
const waits = 4
const waitMs = 125
// After a timeout, so that no check waits for more than one.
const pauseMs = 10_000

async function wait<T>(work: Promise<T>, left: number): Promise<T> {
  try {
    return await race(() => work, waitMs)
  } catch (error) {
    if (left === 1 || Object(error).kind !== 'timeout') throw error
    return wait(work, left - 1)
  }
}

/**
 * A store that neither fails nor hangs. What could not be written is kept in memory, where it is newer than what the store has: a
 * no must win.
 */
export function resilientStore(store: GateStore, report: (error: unknown) => unknown) {
  const unwritten = createMemory()
  /** Kept, as newer than any entry, for a key that could not be deleted. */
  const deleted: GateEntry = { outcome: 'clock', at: 9e15 }
  let readsPausedUntil = 0
  let writesPausedUntil = 0
  /** `failed`, of a write alone, runs where `work` fails, where it takes too long, and where an earlier one did. */
  async function bound<T>(work: () => Promise<T> | undefined, failed?: () => void): Promise<T | undefined> {
    try {
      if (performance.now() < (failed ? writesPausedUntil : readsPausedUntil))
        throw new Error('the store took too long before')
      return await wait((async () => await work())(), waits)
    } catch (error) {
      if (Object(error).kind === 'timeout') {
        writesPausedUntil = performance.now() + pauseMs
        // A write may wait for a lock, beside which entries can be read.
        if (!failed) readsPausedUntil = writesPausedUntil
      }
      failed?.()
      report(error)
      return undefined
    }
  }
  function write<T>(work: () => Promise<T> | undefined, key: string, entry: GateEntry) {
    unwritten.remove(key)
    return bound(work, () => unwritten.set(key, entry))
  }
  return {
    async get(key: string) {
      const found = await bound(() => store.get(key))
      const newer = unwritten.get(key)
      const last = newer && !(Number(found?.at) > newer.at) ? newer : found
      return last === deleted ? undefined : last
    },
    set: (key: string, entry: GateEntry, keepMs: number) =>
      write(() => store.set(key, entry, keepMs), key, entry),
    /** `false` where the store has another entry than `previous`. */
    replace: (key: string, previous: GateEntry | undefined, entry: GateEntry, keepMs: number) =>
      write(() => store.replace?.(key, previous, entry, keepMs), key, entry),
    delete: (key: string) => write(() => store.delete(key), key, deleted),
  }
}
