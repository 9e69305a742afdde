import type { Shape } from '@saleproof/schema'
import type { ReadBody } from './body.ts'
import { callOrThrow } from './call.ts'
import { validatePurchase } from './calls.ts'
import { runCheck } from './check-purchase.ts'
import { showSettings } from './identity.ts'
import { readClientOptions } from './options.ts'
import type { Platform } from './platform.ts'
import type { Client, ClientOptions } from './types.ts'

export type {
  ErrorCode,
  ItemExtended,
  ItemSummary,
  Purchase,
  PurchaseBase,
  PurchaseExtended,
  Shape,
} from '@saleproof/schema'
export {
  type ClientErrorCode,
  type ErrorCause,
  type ErrorDetails,
  type ErrorKind,
  type ErrorResponse,
  isSaleproofError,
  SaleproofError,
} from './errors.ts'
export type {
  AttemptEvent,
  CallMeta,
  CallOptions,
  CheckOptions,
  ClientOptions,
  Fetch,
  InvalidCheck,
  InvalidReason,
  PurchaseCheck,
  StandardSchema,
  UnknownCheck,
  Validate,
  ValidCheck,
} from './types.ts'

/** A client for a publishable key: it validates, and nothing else. Frozen; prints nothing of its key. */
export interface PublishableClient<S extends Shape = Shape>
  extends Pick<Client<S>, 'checkPurchase' | 'validatePurchase'> {}

/** React Native has neither streams nor a decoder: it reads the whole text, of which characters are counted instead of bytes. */
const readWhole: ReadBody = async (response, maxBytes) => {
  if (Number(response.headers.get('Content-Length')) > maxBytes) return undefined
  const text = await response.text()
  return text.length > maxBytes ? undefined : text
}

const readBody: ReadBody = async (response, maxBytes) => {
  // Not `for await`, which Safari lacks for streams. Some replacements of `fetch` give streams of another kind.
  const reader = globalThis.TextDecoder && response.body?.getReader?.()
  if (!reader) return readWhole(response, maxBytes)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (let size = 0; size <= maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    text += decoder.decode(value, { stream: true })
  }
  void reader.cancel()
  return undefined
}

const urlPattern = /^(https?:\/\/(?:[^\s/?#@:\\[\]]+|\[[\da-f:.]+])(?::\d{1,5})?)(\/[^\s?#@\\]*)?$/i

/** Anywhere. `URLSearchParams` of React Native encodes nothing, and its `URL` parses nothing. */
const anywhere: Platform = {
  readBody,
  encode(parameters, headers) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    return Object.entries(parameters)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
  },
  parseUrl(url) {
    const [, origin, path = '/'] = urlPattern.exec(url) ?? []
    return origin !== undefined && origin.toLowerCase() + path
  },
}

/**
 * Creates a client for a publishable key, for programs that buyers have: web pages, Tauri, React Native (from 0.79 on), desktop apps; it
 * runs on servers too. It only validates purchases. A secret key does not work in a page: the API lets no page read the response, and
 * the outcome is `unknown` with an error of the kind `connection`.
 *
 * The options are those of `createClient`. Throws a {@link SaleproofError} of the kind `configuration` when one is invalid. A gate takes
 * the client as it takes any other.
 *
 * @example
 * const client = createPublishableClient({ baseUrl: 'https://market.example.com', apiKey: 'sp_your_publishable_key' })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 * if (check.outcome === 'valid') unlock(check.purchase)
 */
export function createPublishableClient<S extends Shape = Shape>(
  options: ClientOptions<S>,
): PublishableClient<S> {
  const settings = readClientOptions(anywhere, options)
  const client: PublishableClient<S> = {
    checkPurchase: (code, options) => runCheck(settings, code, options),
    validatePurchase: (code, options) => callOrThrow(settings, validatePurchase, code, options),
  }
  showSettings(client, settings)
  return Object.freeze(client)
}
