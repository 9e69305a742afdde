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

/** The first key of a function, in time: a gate waits for it. `undefined` where there is none. */
export function firstKey(settings: Settings): Promise<string | undefined> {
  return race(getKey(settings), settings.timeoutMs ?? 5_000).catch(() => undefined)
}
