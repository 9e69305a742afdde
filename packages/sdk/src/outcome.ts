import type { Purchase, Shape } from '@saleproof/schema'
import type { CallResult } from './call.ts'
import type { InvalidReason, PurchaseCheck } from './types.ts'

/** What of an error decides. */
interface Failure {
  readonly status: number | undefined
  readonly code: string | undefined
}

/** Why an error makes a code invalid: the API said so in a 404, or the client sent nothing. `undefined` for every other error. */
function readReason({ status, code }: Failure): InvalidReason | undefined {
  if (status === 404 && (code === 'purchase_not_found' || code === 'purchase_not_active')) return code
  return !status && code === 'malformed_code' ? code : undefined
}

/**
 * What the result of a validation says about the purchase; whatever is no success and no such reason is unknown. Throws what the
 * caller is responsible for: a mistake in the options, and an abort.
 */
export function toOutcome<S extends Shape>(
  { error, meta, value }: CallResult,
  itemId: number | string | undefined,
): PurchaseCheck<S> {
  // What the call let through.
  const purchase = value as Purchase<S>
  // As text: an id may come out of a variable of the environment.
  const isOther = !error && itemId !== undefined && String(purchase.item.id) !== String(itemId)
  const reason = isOther ? 'wrong_item' : error && readReason(error)
  if (reason) return { outcome: 'invalid', reason, meta }
  if (!error) return { outcome: 'valid', purchase, meta }
  if (!error.kind || /configuration|aborted/.test(error.kind)) throw error
  return { outcome: 'unknown', error, meta }
}
