import type { Purchase, Shape } from '@saleproof/schema'
import { SaleproofError } from '../errors.ts'
import { findSettings } from '../identity.ts'
import { isFunction, isItemId, isSignal, type Rules, readOptions } from '../options.ts'
import { readPurchaseCode } from '../purchase-code.ts'
import { race } from '../race.ts'
import type { InvalidCheck, ValidCheck } from '../types.ts'
import { createBreaker } from './breaker.ts'
import { deepFreeze } from './freeze.ts'
import { type Found, type GateEntry, type OpenOptions, type OpenStore, sealed } from './gate-store.ts'
import { openMemory } from './memory.ts'
import { invalid, unknown } from './results.ts'
import { readGateOptions } from './settings.ts'
import { createLimiter } from './slots.ts'
import type { Gate, GateCheck, GateCheckOptions, GateOptions } from './types.ts'

const maxPending = 500
const maxConcurrent = 10
const unlimited = 999_999_999
const probeMs = 60_000
// The time of a probe that may never report its end, because its request ended first, or that began before the outage.
const shortProbeMs = 1_000

const checkRules: Rules<GateCheckOptions> = { itemId: isItemId, signal: isSignal, waitUntil: isFunction }

/** A question: a code in its one form, and for which item. */
interface Query {
  readonly code: string
  readonly itemId: unknown
}

/** A response about a code, or why there is none. */
type Asked =
  | { readonly code: string; readonly entry: GateEntry; readonly error?: undefined }
  | { readonly code: string; readonly entry?: undefined; readonly error: SaleproofError }

/** Runs work in the background. No program runs on for it: where nothing else is to be done, it does not begin. */
function runLater(work: () => Promise<unknown>, waitUntil: GateCheckOptions['waitUntil']): void {
  const { setImmediate }: Partial<typeof globalThis> = globalThis
  const soon = (next: () => unknown) => (setImmediate ? setImmediate(next).unref?.() : next())
  if (waitUntil) waitUntil(work())
  // Two turns later: between them Node.js looks whether anything is left to do.
  else soon(() => soon(() => work().catch(() => {})))
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
  const { trust, find, set, remove, exclusive, noteOutage, hasOutage } = open(settings as OpenOptions)
  const breaker = createBreaker(now)
  const limit = createLimiter(isWorker ? unlimited : maxConcurrent)
  const flights = new Map<string, Promise<Asked | undefined>>()
  /** Codes with grace to ask about when the API is back, before any others. */
  const pending = new Map<string, string>()
  const clientSettings = findSettings(client)
  /** In memory a hit takes less than a promise does. */
  const lookUp = (code: string) => find(code, clientSettings)

  function toCheck(entry: GateEntry, { itemId }: Query, source: 'api' | 'cache' | 'grace'): GateCheck<S> {
    const { at, purchase, reason = 'wrong_item', until = at + graceMs } = entry
    if (!purchase || (itemId !== undefined && String(purchase.item.id) !== String(itemId)))
      return invalid(reason, source === 'api' ? 'api' : 'cache')
    const graceUntil = graceMs ? until : undefined
    // The key of the entry contains the shape of the client.
    return { outcome: 'valid', purchase: purchase as Purchase<S>, source, checkedAt: at, graceUntil }
  }

  /** What is known about a code, if it is not too old. */
  function fromEntry({ entry, age }: Found, query: Query, source: 'cache' | 'grace') {
    const purchase = entry?.purchase
    const maxAgeMs = source === 'cache' ? (purchase ? ttlMs : negativeTtlMs) : purchase ? graceMs : 0
    return entry && age < maxAgeMs ? toCheck(entry, query, source) : undefined
  }

  /** The result without a response: grace, or the error. */
  function fallback(
    found: Found,
    query: Query,
    error: SaleproofError,
    source: 'api' | 'cache',
  ): GateCheck<S> {
    const check = fromEntry(found, query, 'grace')
    if (!check || breaker.isRefusal(error)) {
      pending.delete(found.key)
      return unknown(error, source)
    }
    if (breaker.outage() && pending.size < maxPending) pending.set(found.key, query.code)
    return check
  }

  async function keep(code: string, at: number, response: ValidCheck | InvalidCheck): Promise<GateEntry> {
    await trust()
    const entry: GateEntry = deepFreeze({ ...response, at, ...proofOf?.(response) })
    // Again where another process has written meanwhile.
    for (let tries = 3; tries; tries -= 1) {
      const { key, entry: last } = await lookUp(code)
      pending.delete(key)
      // Another caller got an invalid result after this request was sent.
      // Requests to a worker overtake each other, and its clock stands still while they run.
      if (last?.reason && entry.purchase && last.at > at - Number(isWorker) && last.at <= now())
        return last.at > at ? last : entry
      if ((await set(key, entry, !entry.purchase && !last?.purchase, last)) !== false) break
    }
    return entry
  }

  /** Asks the API; `undefined` when an outage began while the request waited. */
  async function ask(
    key: string,
    code: string,
    isKnown: boolean,
    isProbe: boolean,
  ): Promise<Asked | undefined> {
    let at = 0
    const response = await limit(isKnown, async () => {
      if (!isProbe && breaker.outage()) return undefined
      at = now()
      const check = await client.checkPurchase(code, isProbe || breaker.isLimited() ? { maxRetries: 0 } : {})
      const before = breaker.outage()
      breaker.record(key, check.outcome === 'unknown' ? check.error : undefined, isProbe)
      const outage = breaker.outage()
      if (outage !== before) await noteOutage?.(key, !!outage)
      return check
    })
    if (response?.outcome === 'unknown') return { code, error: response.error }
    return response && { code, entry: await keep(code, at, response) }
  }

  /** One request at a time for a code. */
  function share(key: string, code: string, isKnown: boolean, isProbe = false): Promise<Asked | undefined> {
    const work = () => ask(key, code, isKnown, isProbe)
    const flight =
      flights.get(key) ?? (isProbe ? work() : exclusive(key, work)).finally(() => flights.delete(key))
    if (!isWorker) flights.set(key, flight)
    return flight
  }

  /** Asks about one code, and after a success about all that are waiting. */
  async function probe(key: string, code: string): Promise<Asked | undefined> {
    const asked = await share(key, code, true, true).catch(() => undefined)
    for (const next of [...pending]) {
      if (breaker.outage()) break
      const work = share(...next, true).catch(() => {})
      if (isWorker) await work
    }
    return asked
  }

  async function decide(
    query: Query,
    waitUntil: GateCheckOptions['waitUntil'],
    looked: Found | Promise<Found>,
  ): Promise<GateCheck<S>> {
    const { code } = query
    for (let next = looked; ; next = lookUp(code)) {
      const found = await next
      const { key, entry } = found
      const cached = fromEntry(found, query, 'cache')
      if (cached) return cached
      const grace = fromEntry(found, query, 'grace')
      let work = () => share(key, code, !!entry?.purchase)
      const outage = breaker.outage()
      if (outage) {
        const check = fallback(found, query, outage, 'cache')
        // Another code than one that failed: that one may be the only one that fails.
        const own = [key, code] as const
        const probing = [...pending, own].find(([key]) => !breaker.hasFailed(key)) ?? own
        if (!breaker.mayProbe(probing[0])) return check
        breaker.wait(isWorker || flights.has(probing[0]) ? shortProbeMs : probeMs)
        work = () => probe(...probing)
        if (check.outcome !== 'unknown' && (waitUntil || !isWorker)) {
          runLater(work, waitUntil)
          return check
        }
      } else if (grace && (await hasOutage?.(key))) {
        runLater(work, waitUntil)
        return grace
      }
      let asked: Asked | undefined
      const running = work()
      try {
        asked = await (grace ? race(running, maxWaitMs) : running)
      } catch (error) {
        // A buyer with grace has waited long enough; the work goes on.
        if (!grace || Object(error).kind !== 'timeout') throw error
        waitUntil?.(running)
        return grace
      }
      if (asked?.code !== code) continue
      return asked.entry
        ? toCheck(asked.entry, query, 'api')
        : fallback(await lookUp(code), query, asked.error, 'api')
    }
  }

  return Object.freeze<Gate<S>>({
    async check(code, options = {}) {
      const { itemId, signal, waitUntil } = readOptions(options, checkRules)
      if (signal?.aborted) throw new SaleproofError('aborted', {})
      const form = readPurchaseCode(code)
      let result: GateCheck<S>
      if (form) {
        const query = { code: form, itemId }
        const found = lookUp(form)
        result =
          ('key' in found && fromEntry(found, query, 'cache')) ||
          (await race(decide(query, waitUntil, found), unlimited, signal).catch(async (error) => {
            const grace = error.kind === 'aborted' && fromEntry(await found, query, 'grace')
            if (!grace) throw error
            return grace
          }))
      } else result = invalid('malformed_code', 'local')
      return Object.freeze(result)
    },
    async forget(code) {
      const { key } = await lookUp(readPurchaseCode(code) ?? '')
      await flights.get(key)?.catch(() => {})
      pending.delete(key)
      await remove(key)
    },
    reset: breaker.reset,
  })
}
