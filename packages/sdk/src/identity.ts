import type { Settings } from './options.ts'

/** Settings by what they were read from: a client, or the options of a check without one. No property: they hold the key. */
const settingsOf = new WeakMap<object, Settings>()

/** The settings of a client; `undefined` of a client that this package did not make. */
export const findSettings = (owner: object): Settings | undefined => settingsOf.get(owner)

export const keepSettings = (owner: object, settings: Settings): unknown => settingsOf.set(owner, settings)
