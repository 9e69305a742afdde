import type { Purchase, Shape } from '@saleproof/schema'
import { makeCall } from './call.ts'
import { type Call, validatePurchase } from './calls.ts'
import type { SaleproofError } from './errors.ts'
import { findSettings, keepSettings } from './identity.ts'
import { checkRules, connectionRules, isAnyKey, readClientOptions, type Settings } from './options.ts'
import type {
  CheckOptions,
  ConnectionOptions,
  InvalidCheck,
  InvalidReason,
  PurchaseCheck,
  UnknownCheck,
} from './types.ts'

/**
 * What an error of a validation says about the purchase. A code is invalid where the API said so in a 404, and where the client sent
 * nothing because it is malformed; everything else is unknown. Throws what the caller is responsible for: a mistake in the options, and
 * an abort.
 */
export function toOutcome(error: SaleproofError): InvalidCheck | UnknownCheck {
  const { kind, code = '' } = error
  const isInvalid =
    kind === 'not_found' ? /^purchase_not_(found|active)$/.test(code) : code === 'malformed_code'
  if (isInvalid) return { outcome: 'invalid', reason: code as InvalidReason }
  if (!kind || /configuration|aborted/.test(kind)) throw error
  return { outcome: 'unknown', error }
}

/** Checks a code with the settings of a client. */
export async function runCheck<S extends Shape>(
  settings: Settings,
  code: string,
  options: CheckOptions<S> = {},
  call: Call = validatePurchase,
): Promise<PurchaseCheck<S>> {
  try {
    // What the call let through.
    const purchase = (await makeCall(settings, call, code, options, checkRules)) as Purchase<S>
    const { itemId } = options
    // As text: an id may come out of a variable of the environment.
    const isOther = itemId !== undefined && String(purchase.item.id) !== String(itemId)
    return isOther ? { outcome: 'invalid', reason: 'wrong_item' } : { outcome: 'valid', purchase }
  } catch (error) {
    return toOutcome(error as SaleproofError)
  }
}

/**
 * Checks a code: `valid`, `invalid` or `unknown`. The same as `createClient(options).checkPurchase(code, checkOptions)` in a smaller
 * bundle, without `validate`. Pass the same `options` object each time: it is read once, and its retries are limited.
 *
 * @example
 * const options = { baseUrl: 'https://market.example.com', apiKey: process.env.SALEPROOF_API_KEY }
 * const check = await checkPurchase(options, code, { itemId: 101 })
 * if (check.outcome === 'valid') unlock(check.purchase)
 */
export async function checkPurchase<S extends Shape = Shape, T extends Shape = S>(
  options: ConnectionOptions<S>,
  code: string,
  checkOptions?: CheckOptions<T>,
): Promise<PurchaseCheck<T>> {
  const settings = findSettings(options) ?? readClientOptions(options, connectionRules, isAnyKey)
  keepSettings(options, settings)
  return runCheck(settings, code, checkOptions)
}
