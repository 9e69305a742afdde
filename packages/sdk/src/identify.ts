import { SaleproofError } from './errors.ts'
import { firstKey } from './identity.ts'
import type { Settings } from './options.ts'

async function compute(settings: Settings): Promise<string> {
  const { baseUrl, shape = '', state } = settings
  const key = state.key ?? (await firstKey(settings))
  if (key === undefined) throw new SaleproofError('connection', { code: 'key_unavailable' })
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
 * the last usable key; rejects where there was none and the function fails or takes longer than half a second. React Native and pages over
 * `http:` cannot hash: there it is the text itself, which stays in the memory of a gate, because stores need the same functions.
 */
export async function identify(settings: Settings | undefined): Promise<string> {
  if (!settings) throw new SaleproofError('configuration', {})
  const { identity, key } = settings.state
  return identity && identity.key === key ? identity.value : compute(settings)
}
