import { getKey } from './call.ts'
import type { Settings } from './options.ts'
import { race } from './race.ts'

/** The name of the function by which a client shows its settings to a gate: not enumerable, and no part of its type. */
export const identity: unique symbol = Symbol.for('saleproof.identity')

/** Reads the settings of a client; `undefined` of a client that this package did not make. */
export type ReadSettings = <T>(read: (settings: Settings | undefined) => T) => T

/** How the settings of a client are read. */
export const settingsReader = (client: object): ReadSettings =>
  Reflect.get(client, identity) ?? ((read) => read(undefined))

/** Lets a gate read the settings of a client. It returns nothing by itself, because they hold the key. */
export const showSettings = (client: object, settings: Settings): void => {
  const value: ReadSettings = (read) => read(settings)
  Object.defineProperty(client, identity, { value })
}

const firstKeyMs = 500

/** The first key of a function. Checks wait for it together, and once: `undefined` where it fails or takes too long. */
export function firstKey(settings: Settings): Promise<string | undefined> {
  const { state } = settings
  state.firstKey ??= {
    until: performance.now() + firstKeyMs,
    key: getKey(settings).finally(() => delete state.firstKey),
  }
  const { key, until } = state.firstKey
  return race(key, Math.max(0, until - performance.now())).catch(() => undefined)
}
