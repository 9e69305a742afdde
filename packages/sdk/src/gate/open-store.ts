import { identify } from '../identify.ts'
import { notify } from '../log.ts'
import { deepFreeze } from './freeze.ts'
import type { OpenStore } from './gate-store.ts'
import { resilientStore } from './resilient-store.ts'
import { createStoreClock } from './store-clock.ts'

// Longer than the longest wait between two probes.
const outageMs = 60_000

/** The entry of no code. */
const outageKey = (key: string) => key.slice(0, key.indexOf(' ') + 1)

/** Opens the store of a gate. */
export const openStore: OpenStore = ({ store, now, ttlMs, negativeTtlMs, graceMs, log }) => {
  const guessMs = Math.max(negativeTtlMs, 60_000)
  // A no outlives the grace that it ended.
  const keepMs = Math.max(guessMs, ttlMs, graceMs)
  const entries = resilientStore(store, (thrown) => {
    const { name, code, message } = Object(thrown)
    void notify(log, { event: 'store-error', error: { name, code, message } })
  })
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
    set: (key, entry, isGuess) => entries.set(key, entry, isGuess ? guessMs : keepMs),
    remove: entries.delete,
    trust,
    noteOutage: (key, isOutage) =>
      isOutage
        ? entries.set(outageKey(key), { outcome: 'clock', at: now() }, outageMs)
        : entries.delete(outageKey(key)),
    async hasOutage(key) {
      const entry = await entries.get(outageKey(key))
      return Math.abs(now() - Number(entry?.at)) < outageMs
    },
  }
}
