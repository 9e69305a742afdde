import type { Shape } from '@saleproof/schema'
import type { OperationName } from '@saleproof/schema/constants'
import { createCall } from './call.ts'
import { calls } from './calls.ts'
import { check, itemIdRule, readClientOptions } from './options.ts'
import { toOutcome } from './outcome.ts'
import type { CallOptions, CheckOptions, Client, ClientOptions, Result, SafeCalls } from './types.ts'

type SafeCall = (...args: unknown[]) => Promise<Result<unknown>>

/**
 * Creates the client of one workspace. Throws a {@link SaleproofError} of the kind `configuration` when an option is invalid.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 */
export function createClient<S extends Shape = Shape>(options: ClientOptions<S>): Client<S> {
  const call = createCall(readClientOptions(options))
  const safe: Record<string, SafeCall> = {}
  const client: Record<string, unknown> = {
    safe,
    async checkPurchase(code: string, options: CheckOptions = {}) {
      // An `itemId` that is there but is no id (a variable that was never set) must not mean "any item".
      if ('itemId' in options) check('itemId', options.itemId, itemIdRule)
      const result = await (safe as unknown as SafeCalls).validatePurchase(code, options)
      if (!result.ok && /configuration|aborted/.test(result.error.kind)) throw result.error
      return toOutcome(result, options.itemId)
    },
  }
  for (const name in calls) {
    const operation = name as OperationName
    const { parameters } = calls[operation]
    const safeCall: SafeCall = (...args) => {
      const argument = parameters && args.shift()
      return call(operation, () => parameters?.(argument) ?? {}, args[0] as CallOptions | undefined)
    }
    safe[name] = safeCall
    client[name] = async (...args: unknown[]) => {
      const result = await safeCall(...args)
      if (result.ok) return result.value
      // The stack of the caller instead of that of the transport.
      Error.captureStackTrace?.(result.error)
      throw result.error
    }
  }
  Object.freeze(safe)
  // The calls are made in a loop; `Client` writes their types out, and `test/types.test.ts` compares the two.
  return Object.freeze(client) as unknown as Client<S>
}
