import type { Shape } from '@saleproof/schema'
import { makeCall } from './call.ts'
import { type Call, calls } from './calls.ts'
import { runCheck } from './check-purchase.ts'
import { keepSettings } from './identity.ts'
import { callRules, connectionRules, isAnyKey, readClientOptions } from './options.ts'
import type { CallOptions, Client, ClientOptions } from './types.ts'
import { areSchemas, withSchema } from './validate.ts'

/**
 * Creates the client of one workspace. Throws a {@link SaleproofError} of the kind `configuration` when an option is invalid.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 */
export function createClient<S extends Shape = Shape>(options: ClientOptions<S>): Client<S> {
  const rules = { ...connectionRules, validate: areSchemas }
  const settings = readClientOptions<ClientOptions>(options, rules, isAnyKey)
  const validated = (call: Call) => withSchema(call, settings.validate?.[call.name])
  const client: Pick<Client<S>, 'checkPurchase'> & Record<string, unknown> = {
    checkPurchase: (code, options) => runCheck(settings, code, options, validated(calls.validatePurchase)),
  }
  for (const call of Object.values<Call>(calls)) {
    client[call.name] = (...args: unknown[]) =>
      makeCall(
        settings,
        validated(call),
        call.parameters && args.shift(),
        (args[0] ?? {}) as CallOptions,
        callRules,
      )
  }
  keepSettings(client, settings)
  // Complete since the loop; `test/types.test.ts` compares the table of calls with the types that are written out.
  return Object.freeze(client as Client<S> & typeof client)
}
