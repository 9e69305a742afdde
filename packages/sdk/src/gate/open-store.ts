import { identify } from '../identify.ts'
import { toCause } from '../secrets.ts'
import { deepFreeze } from './freeze.ts'
import type { OpenStore } from './gate-store.ts'
import { resilientStore } from './resilient-store.ts'
import { createStoreClock } from './store-clock.ts'

/** Opens the store of a gate. */
export const openStore: OpenStore = ({ store, now, ttlMs, negativeTtlMs, graceMs, log }) => {
  // A no outlives the grace that it ended.
  const keepMs = Math.max(ttlMs, negativeTtlMs, graceMs, 60_000)
  const entries = resilientStore(store, (thrown) =>
    log?.({ event: 'store-error', error: toCause(thrown, []) }),
  )
  const { sync, ageOf, trust } = createStoreClock(now, entries, keepMs)
  // A client of another make shares its results with none.
  const unidentified = String(Math.random())
  return {
    async find(code, readSettings) {
      const id = await readSettings(identify).catch(() => unidentified)
      await sync(id)
      const key = `${id} ${code}`
      const found = deepFreeze(await entries.get(key))
      // Another version of this package may have written something else.
      const entry = found?.purchase || found?.reason ? found : undefined
      return { key, entry, age: entry ? ageOf(entry.at) : Number.NaN }
    },
    set: (key, entry) => entries.set(key, entry, keepMs),
    remove: entries.delete,
    trust,
  }
}
