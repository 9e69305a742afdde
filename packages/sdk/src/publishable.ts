import type { Shape } from '@saleproof/schema'
import { runCheck } from './check-purchase.ts'
import { keepSettings } from './identity.ts'
import { connectionRules, matches, readClientOptions } from './options.ts'
import type { Client, ConnectionOptions } from './types.ts'

export { isSaleproofError, SaleproofError } from './errors.ts'

/** A client for a publishable key, which only checks codes. Frozen; prints nothing of its key. */
export interface PublishableClient<S extends Shape = Shape> extends Pick<Client<S>, 'checkPurchase'> {}

// A generated secret key. Imported ones have any form.
const isPublishable = matches(/^(?!sp_\w{38}$)[!-~]{1,255}$/)

/**
 * Creates a client for a publishable key, for programs that buyers have: web pages, Tauri, React Native (from 0.79 on), desktop apps; it
 * runs on servers too. A secret key that the API generated (`sp_…`) is refused; no other one works in a page: the API lets no page read
 * the response, and the outcome is `unknown` with an error of the kind `connection`.
 *
 * The options are those of `createClient`, but for `validate`.
 *
 * @example
 * const client = createPublishableClient({ baseUrl: 'https://market.example.com', apiKey: 'spp_your_publishable_key' })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 */
export function createPublishableClient<S extends Shape = Shape>(
  options: ConnectionOptions<S>,
): PublishableClient<S> {
  const settings = readClientOptions(options, connectionRules, isPublishable)
  const client: PublishableClient<S> = {
    checkPurchase: (code, options) => runCheck(settings, code, options),
  }
  keepSettings(client, settings)
  return Object.freeze(client)
}
