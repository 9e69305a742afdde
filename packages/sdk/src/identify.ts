import { getKey } from './call.ts'
import type { Settings } from './options.ts'
import { race } from './race.ts'

const firstKeyMs = 500

/** The first key of a function. Checks wait for it together, and once: `undefined` where it fails or takes too long. */
function firstKey(settings: Settings): Promise<string | undefined> {
  const { state } = settings
  state.firstKey ??= {
    until: performance.now() + firstKeyMs,
    key: getKey(settings).finally(() => delete state.firstKey),
  }
  const { key, until } = state.firstKey
  return race(() => key, Math.max(0, until - performance.now())).catch(() => undefined)
}

/** What the results of a client are bound to: base URL, shape and its last usable key. `undefined` while a function gives none. */
export async function identify(settings: Settings): Promise<string | undefined> {
  const { baseUrl, shape, state } = settings
  const key = state.key ?? (await firstKey(settings))
  return key && JSON.stringify([baseUrl, shape, key])
}
