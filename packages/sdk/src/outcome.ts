import type { Purchase, Shape } from '@saleproof/schema'
import type { CallResult } from './call.ts'
import type { ErrorKind } from './errors.ts'
import { isPurchaseCode } from './response.ts'
import type { InvalidReason, PurchaseCheck } from './types.ts'

/**
 * What the result of a validation says about the purchase. Invalid is a 404 in this API's own envelope whose code says so;
 * everything else that is not a success is unknown.
 */
export function toOutcome<S extends Shape>(
  { error, meta, value }: CallResult,
  itemId: number | undefined,
): PurchaseCheck<S> {
  const invalid = (reason: InvalidReason): PurchaseCheck<S> => ({ outcome: 'invalid', reason, meta })
  if (!error) {
    // What `decode` let through.
    const purchase = value as Purchase<S>
    // As text: an id may come out of a variable of the environment.
    if (itemId !== undefined && String(purchase.item.id) !== String(itemId)) return invalid('wrong_item')
    return { outcome: 'valid', purchase, meta }
  }
  const { kind, code = '' }: { kind: ErrorKind; code?: string | undefined } = error
  return code === 'malformed_code' || (kind === 'not_found' && isPurchaseCode(code))
    ? invalid(code)
    : { outcome: 'unknown', error, meta }
}
