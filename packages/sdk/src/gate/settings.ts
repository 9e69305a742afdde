import type { Shape } from '@saleproof/schema'
import { findSettings } from '../identity.ts'
import {
  check,
  isAnything,
  isFunction,
  isObject,
  isPositiveInteger,
  matches,
  type Rules,
  readOptions,
} from '../options.ts'
import type { Passes } from '../types.ts'
import { type GatePasses, sealed } from './gate-store.ts'
import type { GateOptions, OnUnknown } from './types.ts'

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

type Grace = Exclude<OnUnknown, 'deny'>

// At most 30 days.
const isGrace = (value: unknown) => isPositiveInteger(value) && Number(value) <= 2_592_000_000

function readGrace(onUnknown: GateOptions['onUnknown']): number {
  if (onUnknown === 'deny') return 0
  check('onUnknown', onUnknown, isObject)
  const { allowCachedMs } = readOptions(onUnknown as Grace, { allowCachedMs: isGrace })
  check('allowCachedMs', allowCachedMs, isGrace)
  return Number(allowCachedMs)
}

/** Valid options of a gate with their defaults. Times may be texts out of variables: they are only compared. */
export function readGateOptions<S extends Shape>(options: GateOptions<S>) {
  const given = readOptions<GateOptions<S>>(options, rules)
  check('client', given.client, rules.client)
  // Only this package makes them.
  const passes = findSettings(given.client)?.passes as (Passes & GatePasses) | undefined
  return {
    ttlMs: 900_000,
    negativeTtlMs: 30_000,
    now: Date.now,
    maxWaitMs: 2_000,
    ...given,
    graceMs: (passes?.readGrace ?? readGrace)(given.onUnknown),
    ...passes,
  }
}
