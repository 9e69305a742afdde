import type { Purchase, Shape } from '@saleproof/schema'
import type { SaleproofError } from '../errors.ts'
import { findSettings } from '../identity.ts'
import { isFunction, isPositiveInteger, isSignal, type Rules, readOptions } from '../options.ts'
import { readPurchaseCode } from '../purchase-code.ts'
import { race } from '../race.ts'
import type { InvalidCheck, InvalidReason, UnknownCheck, ValidCheck } from '../types.ts'
import { createBreaker } from './breaker.ts'
import { type Found, type GateEntry, type OpenOptions, type OpenStore, sealed } from './gate-store.ts'
import { openMemory } from './memory.ts'
import { readGateOptions } from './settings.ts'
import { createLimiter } from './slots.ts'
import type { Gate, GateCheck, GateCheckOptions, GateInvalid, GateOptions, GateUnknown } from './types.ts'

const maxConcurrent = 10
const unlimited = 999_999_999
const probeMs = 60_000
// The time of a probe that may never report its end, because its request ended first, or that began before the outage.
const shortProbeMs = 1_000

const checkRules: Rules<GateCheckOptions> = {
  itemId: isPositiveInteger,
  signal: isSignal,
  waitUntil: isFunction,
}

/** A response about a code, or why there is none. */
type Asked = GateEntry | UnknownCheck

const invalid = (reason: InvalidReason, source: GateInvalid['source']): GateInvalid => ({
  outcome: 'invalid',
  reason,
  source,
})

/** The error is shared by all whom it concerns. */
const unknown = (error: SaleproofError, source: GateUnknown['source']): GateUnknown => ({
  outcome: 'unknown',
  error: Object.freeze(error),
  source,
})

/** Runs work in the background. No program runs on for it: where nothing else is to be done, it does not begin. */
function runLater(work: () => Promise<unknown>, waitUntil: GateCheckOptions['waitUntil']): void {
  const { setImmediate }: Partial<typeof globalThis> = globalThis
  const soon = (next: () => unknown) => (setImmediate ? setImmediate(next).unref?.() : next())
  const start = () => work().catch(() => {})
  if (waitUntil) waitUntil(start())
  // Two turns later: between them Node.js looks whether anything is left to do.
  else soon(() => soon(start))
}

/**
 * Creates a gate. It caches results, shares one request among concurrent callers, and keeps valid codes valid during an outage. An
 * invalid result of the API always wins over the cache.
 *
 * @example
 * const gate = createGate({ client, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
 * const check = await gate.check(code, { itemId: 101 })
 */
export function createGate<S extends Shape = Shape>(options: GateOptions<S>): Gate<S> {
  const settings = readGateOptions(options)
  const { client, store, proofOf, now, ttlMs, negativeTtlMs, graceMs, maxWaitMs } = settings
  // Requests to a Cloudflare Worker must not wait for each other: work ends with the request that began it.
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
  // What this package marked.
  const open = (store ? store[sealed] : openMemory) as OpenStore
  const { trust, find, set, remove, run, noteOutage, hasOutage } = open(settings as OpenOptions)
  const breaker = createBreaker(now)
  const limit = createLimiter(isWorker ? unlimited : maxConcurrent)
  const flights = new Map<string, Promise<Asked | undefined>>()
  /** In memory a hit takes less than a promise does. */
  const lookUp = (code: string) => find(code, findSettings(client))

  function toCheck(entry: GateEntry, itemId: unknown, source: 'api' | 'cache' | 'grace'): GateCheck<S> {
    const { at, purchase, reason = 'wrong_item', until = at + graceMs } = entry
    if (!purchase || (itemId !== undefined && String(purchase.item.id) !== String(itemId)))
      return invalid(reason, source === 'api' ? 'api' : 'cache')
    const graceUntil = graceMs ? until : undefined
    // The key of the entry contains the shape of the client.
    return { outcome: 'valid', purchase: purchase as Purchase<S>, source, checkedAt: at, graceUntil }
  }

  /** What is known about a code, if it is not too old. */
  function fromEntry({ entry, age }: Found, itemId: unknown, source: 'cache' | 'grace') {
    const purchase = entry?.purchase
    const maxAgeMs = source === 'cache' ? (purchase ? ttlMs : negativeTtlMs) : purchase ? graceMs : 0
    return entry && age < maxAgeMs ? toCheck(entry, itemId, source) : undefined
  }

  async function keep(code: string, at: number, response: ValidCheck | InvalidCheck): Promise<GateEntry> {
    await trust()
    const entry: GateEntry = Object.freeze({ ...response, at, ...proofOf?.(response) })
    // What decides: the caller gets the same objects.
    Object.freeze(Object.freeze(entry.purchase)?.item)
    // Again where another process has written meanwhile.
    for (let tries = 3; tries; tries -= 1) {
      const { key, entry: last } = await lookUp(code)
      // Another caller got an invalid result after this request was sent.
      // Requests to a worker overtake each other, and its clock stands still while they run.
      if (last?.reason && entry.purchase && last.at > at - Number(isWorker) && last.at <= now())
        return last.at > at ? last : entry
      if ((await set(key, entry, !entry.purchase && !last?.purchase, last)) !== false) break
    }
    return entry
  }

  /** Asks the API, by one request at a time for a code; `undefined` when an outage began while the request waited. */
  function ask({ key, entry }: Found, code: string, isProbe: boolean): Promise<Asked | undefined> {
    const work = (signal?: AbortSignal) =>
      limit(!!entry?.purchase, async () => {
        if (!isProbe && breaker.outage()) return undefined
        const at = now()
        const check = await client.checkPurchase(code, { signal, maxRetries: isProbe ? 0 : undefined })
        const before = breaker.outage()
        breaker.record(key, check.outcome === 'unknown' ? check.error : undefined, isProbe)
        const outage = breaker.outage()
        if (outage !== before) await noteOutage?.(key, !!outage)
        return check.outcome === 'unknown' ? check : keep(code, at, check)
      })
    const flight = flights.get(key) ?? run(key, work, isProbe).finally(() => flights.delete(key))
    if (!isWorker) flights.set(key, flight)
    return flight
  }

  async function decide(
    code: string,
    itemId: unknown,
    waitUntil: GateCheckOptions['waitUntil'],
    looked: Found | Promise<Found>,
  ): Promise<GateCheck<S>> {
    for (let next = looked; ; next = lookUp(code)) {
      const found = await next
      const { key } = found
      const cached = fromEntry(found, itemId, 'cache')
      if (cached) return cached
      const grace = fromEntry(found, itemId, 'grace')
      const outage = breaker.outage()
      const isShort = isWorker || flights.has(key)
      if (outage && !breaker.mayProbe(key, isShort ? shortProbeMs : probeMs))
        return grace ?? unknown(outage, 'cache')
      const work = () => ask(found, code, !!outage)
      if (grace && (outage ? waitUntil || !isWorker : await hasOutage?.(key))) {
        runLater(work, waitUntil)
        return grace
      }
      let asked: Asked | undefined
      const running = work()
      try {
        asked = await (grace ? race(() => running, maxWaitMs) : running)
      } catch (error) {
        if (Object(error).kind !== 'timeout') throw error
        // A buyer with grace has waited long enough, and the work goes on; or too many wait.
        waitUntil?.(running)
        return grace ?? unknown(error as SaleproofError, 'cache')
      }
      if (!asked) continue
      if (asked.outcome !== 'unknown') return toCheck(asked, itemId, 'api')
      const { error } = asked
      const last = breaker.isRefusal(error) ? undefined : fromEntry(await lookUp(code), itemId, 'grace')
      return last ?? unknown(error, 'api')
    }
  }

  return Object.freeze<Gate<S>>({
    async check(code, options = {}) {
      const { itemId, signal, waitUntil } = readOptions(options, checkRules)
      const form = readPurchaseCode(code)
      let result: GateCheck<S>
      if (form) {
        const found = lookUp(form)
        result =
          ('key' in found && fromEntry(found, itemId, 'cache')) ||
          (await race(() => decide(form, itemId, waitUntil, found), unlimited, signal).catch(
            async (error) => {
              const grace = error.kind === 'aborted' && fromEntry(await found, itemId, 'grace')
              if (!grace) throw error
              return grace
            },
          ))
      } else result = invalid('malformed_code', 'local')
      return Object.freeze(result)
    },
    async forget(code) {
      const { key } = await lookUp(readPurchaseCode(code) ?? '')
      await flights.get(key)?.catch(() => {})
      await remove(key)
    },
    reset: breaker.reset,
  })
}
