import type { SaleproofError } from './errors.ts'
import type { InvalidCheck, InvalidReason, UnknownCheck } from './types.ts'

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
