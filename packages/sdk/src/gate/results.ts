import type { SaleproofError } from '../errors.ts'
import type { InvalidReason } from '../types.ts'
import { deepFreeze } from './freeze.ts'
import type { GateCheck, GateEvent, GateInvalid, GateUnknown } from './types.ts'

export const invalid = (reason: InvalidReason, source: GateInvalid['source']): GateInvalid => ({
  outcome: 'invalid',
  reason,
  source,
  graceUntil: undefined,
})

/** The error is shared by all whom it concerns. */
export const unknown = (error: SaleproofError, source: GateUnknown['source']): GateUnknown => ({
  outcome: 'unknown',
  error: deepFreeze(error),
  source,
  graceUntil: undefined,
})

export function toEvent(found: GateCheck): GateEvent {
  if (found.outcome === 'invalid') return { event: 'refused', reason: found.reason }
  if (found.outcome === 'unknown') return { event: 'unknown', error: found.error }
  return { event: found.source === 'grace' ? 'grace' : found.source === 'api' ? 'miss' : 'hit' }
}
