import type { Purchase, Shape } from '@saleproof/schema'
import { SaleproofError } from '../errors.ts'
import { settingsReader } from '../identity.ts'
import { createLog } from '../log.ts'
import { checkItemAndSignal } from '../options.ts'
import { readPurchaseCode } from '../purchase-code.ts'
import { toCause } from '../secrets.ts'
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
  | { readonly code: string; readonly error: SaleproofError; readonly source: 'api' | 'cache' }

const withAbort = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal
    ? new Promise((resolve, reject) => {
        const abort = () => reject(new SaleproofError('aborted', {}))
        signal.addEventListener('abort', abort)
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
        if (signal.aborted) abort()
      })
    : work

/**
 * Creates a gate. It caches results, shares one request among concurrent callers, and keeps valid codes valid during an outage. An
 * invalid result of the API always wins over the cache, in every spelling of the code.
 *
 * @example
 * const gate = createGate({ client, onUnknown: { allowCachedMs: 72 * 3_600_000 } })
 * const check = await gate.check(code, { itemId: 101 })
 */
export function createGate<S extends Shape = Shape>(options: GateOptions<S>): Gate<S> {
  const { client, store, now, ttlMs, negativeTtlMs, graceMs, maxConcurrent } = readGateOptions(options)
  // Requests to a Cloudflare Worker must not wait for each other: work ends with the request that began it.
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
  // A no outlives the grace that it ended.
  const keepMs = Math.max(ttlMs, negativeTtlMs, graceMs, 60_000)
  const log = createLog(options.log)
  const report = (thrown: unknown) => log?.({ event: 'store-error', error: toCause(thrown, []) })
  const { ageOf, trust, find, set, remove } = store
    ? // What this package marked.
      (store[sealed] as OpenStore)(store, { now, keepMs, report })
    : openMemory(now)
  const breaker = createBreaker(now)
  const slots = createSlots(isWorker ? Number.POSITIVE_INFINITY : maxConcurrent)
  const flights = new Map<string, Promise<Asked>>()
  /** Codes with grace to ask about when the API is back, before any others. */
  const pending = new Map<string, Query>()
  const readSettings = settingsReader(client)
  /** In memory a hit takes less than a promise does. */
  const lookUp = ({ form }: Query) => find(form, readSettings)

  const hasGrace = (entry: GateEntry, query: Query, itemId: unknown) =>
    !!entry.purchase && !entry.alias && ageOf(entry.at) < graceMs && answers(entry, query, itemId)

  function toCheck(entry: GateEntry, source: 'api' | 'cache' | 'grace', itemId: unknown): GateCheck<S> {
    const { at, purchase, reason = 'wrong_item', alias } = entry
    if (!purchase || !isItem(purchase, itemId)) return invalid(reason, source === 'api' ? 'api' : 'cache')
    const graceUntil = graceMs && !alias ? at + graceMs : undefined
    // The key of the entry contains the shape of the client.
    return { outcome: 'valid', purchase: purchase as Purchase<S>, source, checkedAt: at, graceUntil }
  }

  /** The result from the cache, if there is a fresh one. */
  function fromCache({ entry }: Found, query: Query, itemId: unknown): GateCheck<S> | undefined {
    // Of no entry too, because the clock moves on.
    const age = ageOf(entry?.at ?? 0)
    const isFresh = entry && age < (entry.purchase ? ttlMs : negativeTtlMs) && answers(entry, query, itemId)
    return isFresh ? toCheck(entry, 'cache', itemId) : undefined
  }

  async function keep(query: Query, at: number, response: Parameters<typeof toEntry>[2]): Promise<GateEntry> {
    const { key, entry: last } = await lookUp(query)
    await trust()
    pending.delete(key)
    const entry = deepFreeze(toEntry(query, at, response, last, !!last && ageOf(last.at) < changesMs))
    // Another caller got a no after this request was sent.
    // Requests to a worker overtake each other, and its clock stands still while they run.
    if (last?.reason && entry.purchase && last.at > at - Number(isWorker) && last.at <= now())
      return last.at > at && answers(last, query) ? last : entry
    await set(key, entry)
    return entry
  }

  async function ask(query: Query, isKnown: boolean, isProbe: boolean): Promise<Asked> {
    const { code } = query
    let at: number
    let response: Awaited<ReturnType<typeof client.checkPurchase>>
    await slots.take(isKnown || isProbe)
    try {
      const error = isProbe ? undefined : breaker.error()
      if (error) return { code, error, source: 'cache' }
      at = now()
      response = await client.checkPurchase(code, isProbe || breaker.isLimited() ? { maxRetries: 0 } : {})
      breaker.record(response.outcome === 'unknown' ? response.error : undefined, isProbe)
    } finally {
      slots.release()
    }
    return response.outcome === 'unknown'
      ? { code, error: response.error, source: 'api' }
      : { code, entry: await keep(query, at, response) }
  }

  /** One request at a time for all spellings of a code. */
  function share(key: string, query: Query, isKnown: boolean, isProbe = false): Promise<Asked> {
    const flight = flights.get(key) ?? ask(query, isKnown, isProbe).finally(() => flights.delete(key))
    if (!isWorker) flights.set(key, flight)
    return flight
  }

  async function revalidate() {
    for (const [key, query] of [...pending]) {
      const work = share(key, query, true).catch(() => {})
      if (isWorker) await work
      if (breaker.isTripped()) return
    }
  }

  /** Asks about a code that is waiting, and after a success about all of them. */
  async function probe(key: string, query: Query) {
    await share(key, query, true, true).catch(() => {})
    if (!breaker.isTripped()) return revalidate()
    // The next probe asks about another one: this one may be the only one that fails.
    pending.delete(key)
    pending.set(key, query)
  }

  async function fallback(
    query: Query,
    itemId: unknown,
    error: SaleproofError,
    source: 'api' | 'cache',
  ): Promise<GateCheck<S>> {
    const { key, entry } = await lookUp(query)
    if (!entry || !hasGrace(entry, query, itemId) || breaker.isRefusal(error)) return unknown(error, source)
    if (breaker.isTripped() && pending.size < maxPending) pending.set(key, toStored(entry, query))
    return toCheck(entry, 'grace', itemId)
  }

  async function decide(
    query: Query,
    options: GateCheckOptions,
    looked: Found | Promise<Found> = lookUp(query),
  ): Promise<GateCheck<S>> {
    const { itemId, waitUntil } = options
    for (let next = looked; ; next = lookUp(query)) {
      const found = await next
      const { key, entry } = found
      const cached = fromCache(found, query, itemId)
      if (cached) return cached
      if (entry && !answers(entry, query, itemId) && (entry.changes ?? 0) >= maxChanges) {
        const age = ageOf(entry.at)
        if (age < changesMs) return unknown(tooManySpellings(changesMs - age), 'cache')
      }
      const hold = breaker.error()
      if (hold) return fallback(query, itemId, hold, 'cache')
      const isProbe = breaker.isTripped() && !flights.has(key)
      if (breaker.isTripped()) {
        const isKnown = !!entry && hasGrace(entry, query, itemId)
        if (isKnown) pending.set(key, toStored(entry, query))
        else pending.delete(key)
        const [first] = pending
        const error = breaker.startProbe(isWorker || flights.has(first?.[0] ?? key) ? shortProbeMs : probeMs)
        const work = first && probe(...first)
        if (work && isKnown && (waitUntil || !isWorker)) {
          waitUntil?.(work)
          return fallback(query, itemId, error, 'cache')
        }
        if (work) {
          await work
          continue
        }
      }
      const asked = await share(key, query, !!entry?.purchase, isProbe)
      if (isProbe && !isWorker && !breaker.isTripped()) void revalidate()
      if (asked.code !== query.code) continue
      if (!asked.error) return toCheck(asked.entry, 'api', itemId)
      const other = entry && answers(entry, query, itemId) ? toStored(entry, query) : query
      if (other.code === query.code || breaker.isTripped())
        return fallback(query, itemId, asked.error, asked.source)
      // A filter on the way may refuse this spelling alone: the stored code decides.
      const result = await decide(other, options)
      return result.outcome === 'valid' ? result : unknown(asked.error, asked.source)
    }
  }

  return Object.freeze<Gate<S>>({
    async check(code, options = {}) {
      const { itemId, signal } = options
      checkItemAndSignal(options)
      if (signal?.aborted) throw new SaleproofError('aborted', {})
      const text = readPurchaseCode(code)
      let result: GateCheck<S>
      if (text) {
        const query = toQuery(text)
        const found = lookUp(query)
        result =
          ('key' in found && fromCache(found, query, itemId)) ||
          (await withAbort(decide(query, options, found), signal))
      } else result = invalid('malformed_code', 'local')
      void log?.(toEvent(result))
      return Object.freeze(result)
    },
    async forget(code) {
      const query = toQuery(readPurchaseCode(code) ?? '')
      const { key } = await lookUp(query)
      await flights.get(key)?.catch(() => {})
      pending.delete(key)
      await remove(key)
    },
  })
}
