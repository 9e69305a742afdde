import { getKey } from './call.ts'
import type { Settings } from './options.ts'
import { race } from './race.ts'

/** Settings by what they were read from: a client, or the options of a check without one. No property: they hold the key. */
const settingsOf = new WeakMap<object, Settings>()

/** The settings of a client; `undefined` of a client that this package did not make. */
export const findSettings = (owner: object): Settings | undefined => settingsOf.get(owner)

export const keepSettings = (owner: object, settings: Settings): unknown => settingsOf.set(owner, settings)

const firstKeyMs = 500

/** The first key of a function. Checks wait for it together, and once: `undefined` where it fails or takes too long. */
export function firstKey(settings: Settings): Promise<string | undefined> {
  const { state } = settings
  state.firstKey ??= {
    until: performance.now() + firstKeyMs,
    key: getKey(settings).finally(() => delete state.firstKey),
  }
  const { key, until } = state.firstKey
  return race(() => key, Math.max(0, until - performance.now())).catch(() => undefined)
}
