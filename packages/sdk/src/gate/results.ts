import type { SaleproofError } from '../errors.ts'
import type { InvalidReason } from '../types.ts'
import type { GateInvalid, GateUnknown } from './types.ts'

export const invalid = (reason: InvalidReason, source: GateInvalid['source']): GateInvalid => ({
  outcome: 'invalid',
  reason,
  source,
})

/** The error is shared by all whom it concerns. */
export const unknown = (error: SaleproofError, source: GateUnknown['source']): GateUnknown => ({
  outcome: 'unknown',
  error: Object.freeze(error),
  source,
})
