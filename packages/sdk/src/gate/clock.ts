import type { Entries } from './memory.ts'

const saveEveryMs = 1_000

/**
 * The age of entries, by a clock that may be set back: below the latest time that was seen nothing has an age until the API answers.
 * That time is kept in `store`, so that a restart does not forget it.
 */
export function createClock(now: () => number, store: Entries | undefined, keepMs: number) {
  let mark = 0
  let loaded: string | undefined
  let saved = Number.NEGATIVE_INFINITY

  async function save() {
    const time = Math.max(mark, now())
    if (!loaded || Math.abs(time - saved) < saveEveryMs) return
    saved = time
    await store?.set(loaded, { outcome: 'clock', at: time }, keepMs)
  }

  return {
    now,
    /** Milliseconds since `at`; NaN, which is below no limit, when the clock was set back. */
    age(at: number): number {
      const time = now()
      const age = time >= mark && time >= at ? time - at : Number.NaN
      mark = Math.max(mark, time)
      return age
    },
    /** After an answer of the API the clock is trusted again, also when the program starts again. */
    trust(): Promise<void> {
      mark = now()
      return save()
    },
    /** Exchanges the latest time with the store, under the key `key`. */
    async sync(key: string): Promise<void> {
      if (store && loaded !== key) {
        mark = Math.max(mark, (await store.get(key))?.at ?? 0)
        loaded = key
      }
      await save()
    },
  }
}
