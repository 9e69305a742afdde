import type { Shape } from '@saleproof/schema'
import type { OperationName } from '@saleproof/schema/constants'
import { createCall } from './call.ts'
import { calls } from './calls.ts'
import { check, itemIdRule, readClientOptions } from './options.ts'
import { toOutcome } from './outcome.ts'
import type { CallOptions, Client, ClientOptions, Result, SafeCalls } from './types.ts'

type SafeCall = (...args: never[]) => Promise<Result<unknown>>

/**
 * Creates the client of one workspace. Throws a {@link SaleproofError} of the kind `configuration` when an option is invalid.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 */
export function createClient<S extends Shape = Shape>(options: ClientOptions<S>): Client<S> {
  const call = createCall(readClientOptions(options))
  // The loop below fills it; `test/types.test.ts` compares the table of calls with the types that are written out.
  const safe = {} as SafeCalls<S> & Record<string, SafeCall>
  const client: Pick<Client<S>, 'checkPurchase' | 'safe'> & Record<string, unknown> = {
    safe,
    async checkPurchase(code, options = {}) {
      // An `itemId` that is there but is no id (a variable that was never set) must not mean "any item".
      if ('itemId' in options) check('itemId', options.itemId, itemIdRule)
      const result = await safe.validatePurchase(code, options)
      if (!result.ok && /configuration|aborted/.test(result.error.kind)) throw result.error
      return toOutcome(result, options.itemId)
    },
  }
  for (const name in calls) {
    // TypeScript types the name as any text, because a value may have more names than its type.
    const operation = name as OperationName
    const { parameters } = calls[operation]
    const safeCall: SafeCall = parameters
      ? (argument: unknown, options?: CallOptions) => call(operation, () => parameters(argument), options)
      : (options?: CallOptions) => call(operation, () => ({}), options)
    safe[name] = safeCall
    client[name] = async (...args: never[]) => {
      const result = await safeCall(...args)
      if (result.ok) return result.value
      // The stack of the caller instead of that of the transport.
      Error.captureStackTrace?.(result.error)
      throw result.error
    }
  }
  Object.freeze(safe)
  // Complete since the loop, as is `safe`.
  return Object.freeze(client as Client<S> & typeof client)
}
