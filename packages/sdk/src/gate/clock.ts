import type { Entries } from './gate-store.ts'

const saveEveryMs = 1_000

/**
 * The age of entries, by a clock that may be set back: below the latest time that was seen nothing has an age until the API answers.
 * That time is kept in `store`, so that a restart does not forget it. Where it is missing, the clock is not trusted either: somebody
 * may have removed it.
 */
export function createClock(now: () => number, store: Entries | undefined, keepMs: number) {
  let mark = 0
  let key: string | undefined
  let isTrusted = !store
  let saved = Number.NEGATIVE_INFINITY

  async function save() {
    const time = Math.max(mark, now())
    if (!key || !isTrusted || Math.abs(time - saved) < saveEveryMs) return
    saved = time
    // Not before the entries that need it.
    await store?.set(key, { outcome: 'clock', at: time }, keepMs + saveEveryMs)
  }

  return {
    now,
    /** Milliseconds since `at`; NaN, which is below no limit, when the clock was set back. */
    age(at: number): number {
      const time = now()
      const age = isTrusted && time >= mark && time >= at ? time - at : Number.NaN
      mark = Math.max(mark, time)
      return age
    },
    /** After an answer of the API the clock is trusted again, also when the program starts again. */
    trust(): Promise<void> {
      mark = now()
      isTrusted = true
      return save()
    },
    /** Exchanges the latest time with the store, under the key `newKey`. */
    async sync(newKey: string): Promise<void> {
      if (store && (key !== newKey || !isTrusted)) {
        if (key !== newKey) isTrusted = false
        key = newKey
        const entry = await store.get(key)
        if (entry) {
          mark = Math.max(mark, entry.at)
          isTrusted = true
        }
      }
      await save()
    },
  }
}
