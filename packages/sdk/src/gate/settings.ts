import type { Shape } from '@saleproof/schema'
import { check, isAnything, isFunction, matches, type Rules, readOptions } from '../options.ts'
import { sealed } from './gate-store.ts'
import type { GateOptions } from './types.ts'

const isTime = matches(/^\d{1,9}$/)

const rules: Rules<GateOptions> = {
  client: (value) => isFunction(Object(value).checkPurchase),
  onUnknown: isAnything,
  ttlMs: isTime,
  negativeTtlMs: isTime,
  store: (value) => !!Object(value)[sealed],
  maxWaitMs: isTime,
  log: isFunction,
  now: isFunction,
}

// At most 30 days.
const isGrace = (value: unknown) => matches(/^[1-9]\d*$/)(value) && Number(value) <= 2_592_000_000

function readGrace(onUnknown: GateOptions['onUnknown']): number {
  if (onUnknown === 'deny') return 0
  const { allowCachedMs } = readOptions(onUnknown, { allowCachedMs: isGrace }, 'onUnknown')
  check('allowCachedMs', allowCachedMs, isGrace)
  return Number(allowCachedMs)
}

/** Valid options of a gate with their defaults. Times may be texts out of variables: they are only compared. */
export function readGateOptions<S extends Shape>(options: GateOptions<S>) {
  const given = readOptions<GateOptions<S>>(options, rules)
  check('client', given.client, rules.client)
  return {
    ttlMs: 900_000,
    negativeTtlMs: 30_000,
    maxWaitMs: 2_000,
    now: Date.now,
    ...given,
    graceMs: readGrace(given.onUnknown),
  }
}
