import type { resilientStore } from './resilient-store.ts'

// Writes cost money in some stores.
const saveEveryMs = 60_000
const maxSaved = 100

/**
 * A clock whose latest time is kept in a store, so that a restart does not forget it. Where it is missing, the clock is not trusted
 * either: it may have been removed.
 */
export function createStoreClock(
  now: () => number,
  store: ReturnType<typeof resilientStore>,
  keepMs: number,
) {
  let mark = 0
  let key = ''
  let isTrusted = false
  /** The mark of each key as it was saved last: the keys of a client may alternate. */
  const saved = new Map<string, number>()

  async function save() {
    if (!isTrusted) return
    const last = saved.get(key) ?? Number.POSITIVE_INFINITY
    if (mark >= last && mark - last < saveEveryMs) return
    if (saved.size > maxSaved) saved.clear()
    saved.set(key, mark)
    // Not before the entries that need it.
    await store.set(key, { outcome: 'clock', at: mark }, keepMs + saveEveryMs)
  }

  return {
    save,
    ageOf(at: number): number {
      const time = now()
      return isTrusted && time >= Math.max(mark, at) ? time - at : Number.NaN
    },
    trust(): Promise<void> {
      mark = now()
      isTrusted = true
      return save()
    },
    /** Reads the latest time from the store, under the key `newKey`. */
    async sync(newKey: string): Promise<void> {
      if (key !== newKey || !isTrusted) {
        isTrusted = false
        key = newKey
        const entry = await store.get(key)
        if (entry) {
          mark = Math.max(mark, entry.at)
          isTrusted = true
        }
      }
      mark = Math.max(mark, now())
    },
  }
}
