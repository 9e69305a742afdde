import { getKey } from './attempt.ts'
import type { Settings } from './options.ts'

/** The name of the function by which a client tells what its results are bound to: not enumerable, and no part of its type. */
export const identity: unique symbol = Symbol.for('saleproof.identity')

/** Gives the identity of a client: see {@link identify}. */
export type Identify = () => Promise<string>

/** The function that gives the identity of a client, if it is one of this package. */
export const identifier = (client: object): Identify | undefined => Reflect.get(client, identity)

/**
 * What the results of a client are bound to: the SHA-256, in hexadecimal, of base URL, key and shape. Of a function `apiKey` it takes
 * the last usable key; rejects where there was none and the function fails.
 */
export async function identify(settings: Settings): Promise<string> {
  const { baseUrl, shape = '', state } = settings
  const text = JSON.stringify([baseUrl, state.key ?? (await getKey(settings)), shape])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
