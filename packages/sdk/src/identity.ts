import { getKey } from './attempt.ts'
import { SaleproofError } from './errors.ts'
import type { Settings } from './options.ts'
import { race } from './race.ts'

/** The name of the function by which a client tells what its results are bound to: not enumerable, and no part of its type. */
export const identity: unique symbol = Symbol.for('saleproof.identity')

/** Gives the identity of a client, at once where it is known: see {@link identify}. */
export type Identify = () => string | Promise<string>

/** The function that gives the identity of a client, if it is one of this package. */
export const identifier = (client: object): Identify | undefined => Reflect.get(client, identity)

/** The first key of a function, in time: a gate waits for it. */
async function firstKey(settings: Settings): Promise<string> {
  const none = () => undefined
  const key = await race(getKey(settings).catch(none), settings.timeoutMs ?? 5_000, undefined, none)
  if (key === undefined) throw new SaleproofError('connection', { code: 'key_unavailable', retryable: true })
  return key
}

async function compute(settings: Settings): Promise<string> {
  const { baseUrl, shape = '', state } = settings
  const key = state.key ?? (await firstKey(settings))
  const text = JSON.stringify([baseUrl, key, shape])
  const { subtle } = globalThis.crypto ?? {}
  if (!subtle) return text
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const value = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  state.identity = { key, value }
  return value
}

/**
 * What the results of a client are bound to: the SHA-256, in hexadecimal, of base URL, key and shape. Of a function `apiKey` it takes
 * the last usable key; rejects where there was none and the function fails or takes longer than `timeoutMs`. React Native and pages over
 * `http:` cannot hash: there it is the text itself, which stays in the memory of a gate, because stores need the same functions.
 */
export function identify(settings: Settings): string | Promise<string> {
  const { identity, key } = settings.state
  return identity && identity.key === key ? identity.value : compute(settings)
}
