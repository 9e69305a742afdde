import type { Shape } from '@saleproof/schema'
import { createLog } from '../log.ts'
import { check, type Rule } from '../options.ts'
import { sealed } from './gate-store.ts'
import type { GateOptions } from './types.ts'

const timeRule: Rule = [/^\d{1,10}$/, 'a whole number of milliseconds']
const longestGraceMs = 2_592_000_000

function readGrace(onUnknown: GateOptions['onUnknown']): number {
  const { allowCachedMs = 0 } = Object(onUnknown)
  check('onUnknown', onUnknown === 'deny' ? onUnknown : allowCachedMs <= longestGraceMs && allowCachedMs, [
    /^(deny|[1-9]\d*)$/,
    'deny, or to { allowCachedMs } of 1 to 2592000000, which is 30 days',
  ])
  return Number(allowCachedMs)
}

/** Valid options of a gate with their defaults. */
export function readGateOptions<S extends Shape>(options = {} as GateOptions<S>) {
  const { ttlMs = 900_000, negativeTtlMs = 30_000, maxConcurrent = 10, store, client } = options
  check('ttlMs', ttlMs, timeRule)
  check('negativeTtlMs', negativeTtlMs, timeRule)
  check('maxConcurrent', maxConcurrent, [/^[1-9]\d{0,3}$/, 'a whole number from 1 to 9999'])
  check('client', !!client?.checkPurchase, [/true/, 'a client'])
  check('store', !store || !!store[sealed], [/true/, 'what sealStore made'])
  return {
    ...options,
    graceMs: readGrace(options.onUnknown),
    // Or texts of numbers, from the environment: they are only compared and counted down.
    ttlMs,
    negativeTtlMs,
    maxConcurrent,
    now: options.now ?? Date.now,
    log: createLog(options.log),
  }
}

export type GateSettings<S extends Shape> = ReturnType<typeof readGateOptions<S>>
