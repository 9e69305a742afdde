import type { Shape } from '@saleproof/schema'
import { createCall } from './call.ts'
import { SaleproofError } from './errors.ts'
import { check, itemIdRule, readClientOptions } from './options.ts'
import { toOutcome } from './outcome.ts'
import { readPurchaseCode } from './purchase-code.ts'
import type { CheckOptions, Client, ClientOptions, Result, SafeCalls } from './types.ts'

function itemParameters(id: number) {
  check('id', id, itemIdRule)
  return { item_id: String(id) }
}

function purchaseParameters(code: string) {
  const text = readPurchaseCode(code)
  if (text) return { purchase_code: text }
  throw new SaleproofError('rejected', { operation: 'validatePurchase', code: 'malformed_code' })
}

type SafeCall = (...args: readonly never[]) => Promise<Result<unknown>>

const orThrow =
  (call: SafeCall) =>
  async (...args: readonly never[]): Promise<unknown> => {
    const result = await call(...args)
    if (result.ok) return result.value
    // The stack of the caller instead of that of the transport.
    Error.captureStackTrace?.(result.error)
    throw result.error
  }

/**
 * Makes the client of one workspace. Throws a {@link SaleproofError} of the kind `configuration` when an option cannot work.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 */
export function createClient<S extends Shape = Shape>(options: ClientOptions<S>): Client<S> {
  const call = createCall(readClientOptions(options))
  const safe: SafeCalls<S> = {
    getAccount: (options) => call('getAccount', () => ({}), options),
    listItems: (options) => call('listItems', () => ({}), options),
    getItem: (id, options) => call('getItem', () => itemParameters(id), options),
    validatePurchase: (code, options) => call('validatePurchase', () => purchaseParameters(code), options),
  }
  const client = {
    safe: Object.freeze(safe),
    async checkPurchase(code: string, options: CheckOptions = {}) {
      // An `itemId` that is there but is no id (a variable that was never set) must not mean "any item".
      if ('itemId' in options) check('itemId', options.itemId, itemIdRule)
      const result = await safe.validatePurchase(code, options)
      if (!result.ok && /configuration|aborted/.test(result.error.kind)) throw result.error
      return toOutcome(result, options.itemId)
    },
  } as unknown as Client<S>
  for (const name in safe)
    Object.assign(client, { [name]: orThrow(safe[name as keyof typeof safe] as SafeCall) })
  return Object.freeze(client)
}
