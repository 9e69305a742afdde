import type { Expectation, FaultCase, FaultTable, Step } from './table.ts'

const hour = 3_600_000

/**
 * The same fault behind a gate, after the code was valid: unknown keeps the grace until the fault is over, invalid ends it for good.
 * `undefined` for cases with steps of their own, and where the server cannot be healthy first.
 */
export function behindGate({ code, itemId }: FaultTable, fault: FaultCase): FaultCase | undefined {
  const { connect, expect, gate, name, server, steps, ...rest } = fault
  if (connect || gate || steps || server === undefined || typeof expect?.outcome !== 'string')
    return undefined
  const check = (expected: Expectation): Step => ({ check: code, itemId, expect: expected })
  const { outcome, reason } = expect
  const isRefusal = outcome === 'invalid' && reason !== 'wrong_item'
  const during: Expectation = outcome === 'unknown' ? { outcome: 'valid', source: 'grace' } : expect
  const after: Expectation = isRefusal
    ? { outcome: 'unknown' }
    : { ...during, ...(outcome !== 'invalid' && { source: ['api', 'cache'] }) }
  return {
    ...rest,
    name: `${name}, behind a gate`,
    server: 'valid',
    gate: { onUnknown: { allowCachedMs: 72 * hour } },
    steps: [
      check({ outcome: 'valid', source: 'api' }),
      { server },
      { advance: hour },
      check(during),
      { server: isRefusal ? 'down' : outcome === 'unknown' ? 'valid' : server },
      { advance: hour },
      { ...check(after), eventually: true },
    ],
  }
}
