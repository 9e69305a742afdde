import type { Purchase, Shape } from '@saleproof/schema'
import { SaleproofError } from '../errors.ts'
import { settingsReader } from '../identity.ts'
import { checkItemAndSignal } from '../options.ts'
import { readPurchaseCode } from '../purchase-code.ts'
import { race } from '../race.ts'
import { answers, isItem, type Query, toEntry, toQuery, toStored } from './answers.ts'
import { createBreaker } from './breaker.ts'
import { deepFreeze } from './freeze.ts'
import { type Found, type GateEntry, type OpenStore, sealed } from './gate-store.ts'
import { openMemory } from './memory.ts'
import { invalid, toEvent, tooManySpellings, unknown } from './results.ts'
import { readGateOptions } from './settings.ts'
import { createSlots } from './slots.ts'
import type { Gate, GateCheck, GateCheckOptions, GateOptions } from './types.ts'

// How often the spelling of a code may change within a time before the API is no longer asked about it.
const maxChanges = 3
const changesMs = 30_000
const maxPending = 500
const probeMs = 60_000
// Of a probe that may never report its end, because its request ended first, or that began before the outage.
const shortProbeMs = 1_000

/** A response about one spelling, or why there is none. */
type Asked =
  | { readonly code: string; readonly entry: GateEntry; readonly error?: undefined }
  | { readonly code: string; readonly entry?: undefined; readonly error: SaleproofError }

/**
 * Creates a gate. It caches results, shares one request among concurrent callers, and keeps valid codes valid during an outage. An
 * invalid result of the API always wins over the cache, in every spelling of the code.
 *
 * @example
 * const gate = createGate({ client, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
 * const check = await gate.check(code, { itemId: 101 })
 */
export function createGate<S extends Shape = Shape>(options: GateOptions<S>): Gate<S> {
  const settings = readGateOptions(options)
  const { client, store, now, log, ttlMs, negativeTtlMs, graceMs, maxConcurrent } = settings
  // Requests to a Cloudflare Worker must not wait for each other: work ends with the request that began it.
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
  const { trust, find, set, remove } = store
    ? // What this package marked.
      (store[sealed] as OpenStore)({ ...settings, store })
    : openMemory(settings)
  const breaker = createBreaker(now)
  const inSlot = createSlots(isWorker ? Number.POSITIVE_INFINITY : maxConcurrent)
  const flights = new Map<string, Promise<Asked | undefined>>()
  /** Codes with grace to ask about when the API is back, before any others. */
  const pending = new Map<string, Query>()
  const readSettings = settingsReader(client)
  /** In memory a hit takes less than a promise does. */
  const lookUp = ({ form }: Query) => find(form, readSettings)

  function toCheck(entry: GateEntry, query: Query, source: 'api' | 'cache' | 'grace'): GateCheck<S> {
    const { at, purchase, reason = 'wrong_item', alias } = entry
    if (!purchase || !isItem(purchase, query)) return invalid(reason, source === 'api' ? 'api' : 'cache')
    const graceUntil = graceMs && !alias ? at + graceMs : undefined
    // The key of the entry contains the shape of the client.
    return { outcome: 'valid', purchase: purchase as Purchase<S>, source, checkedAt: at, graceUntil }
  }

  /** What is known about a code, if it is not too old. */
  function fromEntry({ entry, age }: Found, query: Query, source: 'cache' | 'grace') {
    if (!entry) return undefined
    const { purchase, alias } = entry
    const cacheMs = purchase ? ttlMs : negativeTtlMs
    const maxAgeMs = source === 'cache' ? cacheMs : purchase && !alias ? graceMs : 0
    return age < maxAgeMs && answers(entry, query) ? toCheck(entry, query, source) : undefined
  }

  /** The result without a response: grace, or the error. */
  function fallback(
    found: Found,
    query: Query,
    error: SaleproofError,
    source: 'api' | 'cache',
  ): GateCheck<S> {
    const { key, entry } = found
    const check = fromEntry(found, query, 'grace')
    if (!entry || !check || breaker.isRefusal(error)) {
      pending.delete(key)
      return unknown(error, source)
    }
    if (breaker.outage() && pending.size < maxPending) pending.set(key, toStored(entry, query))
    return check
  }

  async function keep(query: Query, at: number, response: Parameters<typeof toEntry>[2]): Promise<GateEntry> {
    const { key, entry: last, age } = await lookUp(query)
    await trust()
    pending.delete(key)
    const entry = deepFreeze(toEntry(query, at, response, last, age < changesMs))
    // Another caller got a no after this request was sent.
    // Requests to a worker overtake each other, and its clock stands still while they run.
    if (last?.reason && entry.purchase && last.at > at - Number(isWorker) && last.at <= now())
      return last.at > at && answers(last, query) ? last : entry
    await set(key, entry)
    return entry
  }

  /** Asks the API; `undefined` when an outage began while the request waited. */
  async function ask(query: Query, isKnown: boolean, isProbe: boolean): Promise<Asked | undefined> {
    const { code } = query
    let at = 0
    const response = await inSlot(isKnown, async () => {
      if (!isProbe && breaker.outage()) return undefined
      at = now()
      const check = await client.checkPurchase(code, isProbe || breaker.isLimited() ? { maxRetries: 0 } : {})
      breaker.record(check.outcome === 'unknown' ? check.error : undefined, isProbe)
      return check
    })
    if (response?.outcome === 'unknown') return { code, error: response.error }
    return response && { code, entry: await keep(query, at, response) }
  }

  /** One request at a time for all spellings of a code. */
  function share(key: string, query: Query, isKnown: boolean, isProbe = false): Promise<Asked | undefined> {
    const flight = flights.get(key) ?? ask(query, isKnown, isProbe).finally(() => flights.delete(key))
    if (!isWorker) flights.set(key, flight)
    return flight
  }

  /** Asks about one code, and after a success about all that are waiting. */
  async function probe(key: string, query: Query): Promise<Asked | undefined> {
    const asked = await share(key, query, true, true).catch(() => undefined)
    // The next probe asks about another one: this one may be the only one that fails.
    if (breaker.outage() && pending.delete(key)) pending.set(key, query)
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
    looked: Found | Promise<Found> = lookUp(query),
  ): Promise<GateCheck<S>> {
    for (let next = looked; ; next = lookUp(query)) {
      const found = await next
      const { key, entry, age } = found
      const cached = fromEntry(found, query, 'cache')
      if (cached) return cached
      const isOther = entry && !answers(entry, query)
      if (isOther && (entry.changes ?? 0) >= maxChanges && age < changesMs)
        return unknown(tooManySpellings(changesMs - age), 'cache')
      const outage = breaker.outage()
      let work: Promise<Asked | undefined>
      if (outage) {
        const check = fallback(found, query, outage, 'cache')
        if (!breaker.isOver()) return check
        const [first = [key, query] as const] = pending
        breaker.wait(isWorker || flights.has(first[0]) ? shortProbeMs : probeMs)
        work = probe(...first)
        if (check.outcome !== 'unknown' && (waitUntil || !isWorker)) {
          waitUntil?.(work)
          return check
        }
      } else work = share(key, query, !!entry?.purchase)
      const asked = await work
      if (asked?.code !== query.code) continue
      if (asked.entry) return toCheck(asked.entry, query, 'api')
      const { error } = asked
      const other = entry && !isOther ? toStored(entry, query) : query
      if (other.code === query.code || breaker.outage())
        return fallback(await lookUp(query), query, error, 'api')
      // A filter on the way may refuse this spelling alone: the stored code decides.
      const result = await decide(other, waitUntil)
      return result.outcome === 'valid' ? result : unknown(error, 'api')
    }
  }

  return Object.freeze<Gate<S>>({
    async check(code, options = {}) {
      const { itemId, signal, waitUntil } = options
      checkItemAndSignal(options)
      if (signal?.aborted) throw new SaleproofError('aborted', {})
      const text = readPurchaseCode(code)
      let result: GateCheck<S>
      if (text) {
        const query = toQuery(text, itemId)
        const found = lookUp(query)
        result =
          ('key' in found && fromEntry(found, query, 'cache')) ||
          (await race(decide(query, waitUntil, found), 999_999_999, signal))
      } else result = invalid('malformed_code', 'local')
      void log?.(toEvent(result))
      return Object.freeze(result)
    },
    async forget(code) {
      const query = toQuery(readPurchaseCode(code) ?? '', undefined)
      const { key } = await lookUp(query)
      await flights.get(key)?.catch(() => {})
      pending.delete(key)
      await remove(key)
    },
  })
}
