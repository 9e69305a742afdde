import type { Shape } from '@saleproof/schema'
import { callOrThrow } from './call.ts'
import { applyPasses, type Call, calls, schemaRules } from './calls.ts'
import { runCheck } from './check-purchase.ts'
import { keepSettings } from './identity.ts'
import { connectionRules, isFunction, isObject, readClientOptions, readOptions } from './options.ts'
import type { CallOptions, Client, ClientOptions, Validate } from './types.ts'
import { withSchema } from './validate.ts'

/**
 * Creates the client of one workspace. Throws a {@link SaleproofError} of the kind `configuration` when an option is invalid.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY })
 * const check = await client.checkPurchase(code, { itemId: 101 })
 */
export function createClient<S extends Shape = Shape>(options: ClientOptions<S>): Client<S> {
  const settings = readClientOptions<ClientOptions>(options, {
    ...connectionRules,
    passes: isFunction,
    validate: isObject,
  })
  const schemas = readOptions<Validate>({ ...settings.validate }, schemaRules)
  const check = withSchema(applyPasses(settings.passes, calls.validatePurchase), schemas)
  const client: Pick<Client<S>, 'checkPurchase'> & Record<string, unknown> = {
    checkPurchase: (code, options) => runCheck(settings, code, options, check),
  }
  for (const each of Object.values<Call>(calls)) {
    const call = withSchema(applyPasses(settings.passes, each), schemas)
    client[call.name] = (...args: unknown[]) =>
      callOrThrow(settings, call, call.parameters && args.shift(), args[0] as CallOptions)
  }
  keepSettings(client, settings)
  // Complete since the loop; `test/types.test.ts` compares the table of calls with the types that are written out.
  return Object.freeze(client as Client<S> & typeof client)
}
