import type { Purchase, Shape } from '@saleproof/schema'
import { makeCall } from './call.ts'
import { checkSchemas, validatePurchase } from './calls.ts'
import type { SaleproofError } from './errors.ts'
import { type ClientState, callRules, isItemId, readClientOptions, type Settings } from './options.ts'
import { toOutcome } from './outcome.ts'
import type { CheckOptions, ClientOptions, PurchaseCheck } from './types.ts'

const checkRules = { ...callRules, itemId: isItemId }

/** Checks a code with the settings of a client. */
export async function runCheck<S extends Shape>(
  settings: Settings,
  code: string,
  options?: CheckOptions<S>,
): Promise<PurchaseCheck<S>> {
  try {
    // What the call let through.
    const purchase = (await makeCall(settings, validatePurchase, code, options, checkRules)) as Purchase<S>
    const { itemId } = options ?? {}
    // As text: an id may come out of a variable of the environment.
    const isOther = itemId !== undefined && String(purchase.item.id) !== String(itemId)
    return isOther ? { outcome: 'invalid', reason: 'wrong_item' } : { outcome: 'valid', purchase }
  } catch (error) {
    return toOutcome(error as SaleproofError)
  }
}

const states = new WeakMap<ClientOptions, ClientState>()

/**
 * Checks a code: `valid`, `invalid` or `unknown`. The same as `createClient(options).checkPurchase(code, checkOptions)` in a smaller
 * bundle. Rejects only for a mistake in the options and when `signal` aborts. Pass the same `options` object each time: retries are
 * limited for each such object.
 *
 * @example
 * const options = { baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY }
 * const check = await checkPurchase(options, code, { itemId: 101 })
 * if (check.outcome === 'valid') unlock(check.purchase)
 */
export async function checkPurchase<S extends Shape = Shape, T extends Shape = S>(
  options: ClientOptions<S>,
  code: string,
  checkOptions?: CheckOptions<T>,
): Promise<PurchaseCheck<T>> {
  const settings = checkSchemas(readClientOptions(options, undefined, states.get(options)))
  states.set(options, settings.state)
  return runCheck(settings, code, checkOptions)
}
