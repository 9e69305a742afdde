import type { Purchase, Shape } from '@saleproof/schema'
import type { ErrorKind } from './errors.ts'
import { isPurchaseCode } from './response.ts'
import type { InvalidReason, PurchaseCheck, Result } from './types.ts'

/**
 * What the result of a validation says about the purchase. Invalid is a 404 in this API's own envelope whose code says so, or
 * that has no code (older deployments); everything else that is not a success is unknown.
 */
export function toOutcome<S extends Shape>(
  result: Result<Purchase<S>>,
  itemId: number | undefined,
): PurchaseCheck<S> {
  const { meta } = result
  const invalid = (reason: InvalidReason): PurchaseCheck<S> => ({ outcome: 'invalid', reason, meta })
  if (result.ok) {
    const purchase = result.value
    // As text: an id may come out of a variable of the environment.
    if (itemId !== undefined && String(purchase.item.id) !== String(itemId)) return invalid('wrong_item')
    return { outcome: 'valid', purchase, meta }
  }
  const { error } = result
  const { kind, code = 'purchase_not_found' }: { kind: ErrorKind; code?: string | undefined } = error
  return code === 'malformed_code' || (kind === 'not_found' && isPurchaseCode(code))
    ? invalid(code)
    : { outcome: 'unknown', error, meta }
}
