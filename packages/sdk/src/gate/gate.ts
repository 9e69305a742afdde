import type { Purchase, Shape } from '@saleproof/schema'
import { SaleproofError } from '../errors.ts'
import { identifier } from '../identity.ts'
import { check, itemIdRule } from '../options.ts'
import { readPurchaseCode } from '../purchase-code.ts'
import { answers, isItem, type Query, toEntry, toQuery } from './answers.ts'
import { createBreaker } from './breaker.ts'
import { createClock } from './clock.ts'
import { deepFreeze } from './freeze.ts'
import type { GateEntry } from './gate-store.ts'
import { createMemory } from './memory.ts'
import { resilientStore } from './resilient-store.ts'
import { readGateOptions } from './settings.ts'
import { createSlots } from './slots.ts'
import type { Gate, GateCheck, GateCheckOptions, GateEvent, GateOptions } from './types.ts'

// How often the spelling of a code may change within a time before the API is no longer asked about it.
const maxChanges = 3
const changesMs = 30_000
const maxPending = 500
// A worker that ends with its request never reports the end of its probe.
const workerProbeMs = 1_000
const probeMs = 60_000

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
  const { client, store, log, now, ttls, graceMs, maxConcurrent } = readGateOptions(options)
  // Requests to a Cloudflare Worker must not wait for each other: work ends with the request that began it.
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
  // A no outlives the grace that it ended.
  const keepMs = Math.max(ttls.valid, ttls.invalid, graceMs, 60_000)
  const report = (event: GateEvent) => void (async () => log?.(event))().catch(() => {})
  const entries = store
    ? resilientStore(store, (error) => report({ event: 'store-error', error }))
    : createMemory()
  const clock = createClock(now, store && entries, keepMs)
  const breaker = createBreaker(now)
  const slots = createSlots(isWorker ? Number.POSITIVE_INFINITY : maxConcurrent)
  const flights = new Map<string, Promise<Asked>>()
  /** Codes with grace to ask about when the API is back, before any others. */
  const pending = new Map<string, Query>()
  const identify = identifier(client)
  const unidentified = String(Math.random())

  async function lookUp({ form }: Query) {
    const id = identify ? await identify().catch(() => unidentified) : unidentified
    const key = JSON.stringify([id, form])
    if (store) await clock.sync(JSON.stringify([id]))
    const found = entries.get(key)
    return { key, entry: found instanceof Promise ? await found : found }
  }

  const hasGrace = (entry: GateEntry, query: Query, itemId: unknown) =>
    !!entry.purchase && !entry.alias && clock.age(entry.at) < graceMs && answers(entry, query, itemId)

  function toCheck(entry: GateEntry, source: 'api' | 'cache' | 'grace'): GateCheck<S> {
    const { at, purchase, reason = 'purchase_not_found', alias } = entry
    if (!purchase)
      return { outcome: 'invalid', reason, source: source === 'api' ? 'api' : 'cache', graceUntil: undefined }
    const graceUntil = graceMs && !alias ? at + graceMs : undefined
    // The key of the entry contains the shape of the client.
    return { outcome: 'valid', purchase: purchase as Purchase<S>, source, checkedAt: at, graceUntil }
  }

  async function keep(query: Query, at: number, response: Parameters<typeof toEntry>[2]): Promise<GateEntry> {
    const { key, entry: last } = await lookUp(query)
    await clock.trust()
    pending.delete(key)
    const entry = deepFreeze(toEntry(query, at, response, last, !!last && clock.age(last.at) < changesMs))
    // Another caller was told no after this request was sent.
    if (last?.reason && entry.purchase && last.at > at && last.at <= now())
      return answers(last, query) ? last : entry
    await entries.set(key, entry, keepMs)
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
    breaker.startProbe(isWorker ? workerProbeMs : probeMs)
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
    if (!entry || !hasGrace(entry, query, itemId))
      return { outcome: 'unknown', error, source, graceUntil: undefined }
    if (breaker.isTripped() && pending.size < maxPending) pending.set(key, query)
    return toCheck(entry, 'grace')
  }

  async function decide(query: Query, { itemId, waitUntil }: GateCheckOptions): Promise<GateCheck<S>> {
    for (;;) {
      const { key, entry } = await lookUp(query)
      const isAnswered = entry && answers(entry, query, itemId)
      const age = entry ? clock.age(entry.at) : Number.NaN
      if (isAnswered && age < ttls[entry.outcome]) return toCheck(entry, 'cache')
      if (entry && !isAnswered && (entry.changes ?? 0) >= maxChanges && age < changesMs) {
        const error = new SaleproofError('rate_limited', {
          operation: 'validatePurchase',
          code: 'too_many_spellings',
          retryable: true,
          retryAfterMs: changesMs - age,
        })
        return { outcome: 'unknown', error, source: 'cache', graceUntil: undefined }
      }
      const isKnown = !!entry && hasGrace(entry, query, itemId)
      const down = breaker.error()
      if (down) return fallback(query, itemId, down, 'cache')
      let isProbe = false
      if (breaker.isTripped()) {
        if (isKnown) pending.set(key, query)
        else pending.delete(key)
        const [next] = pending
        if (next) {
          const work = probe(...next)
          if (isKnown && (waitUntil || !isWorker)) waitUntil?.(work)
          else await work
          continue
        }
        isProbe = !flights.has(key)
        if (isProbe) breaker.startProbe(isWorker ? workerProbeMs : probeMs)
      }
      const asked = await share(key, query, isKnown, isProbe)
      if (isProbe && !isWorker && !breaker.isTripped()) void revalidate()
      if (asked.code !== query.code) continue
      return asked.error ? fallback(query, itemId, asked.error, asked.source) : toCheck(asked.entry, 'api')
    }
  }

  return Object.freeze<Gate<S>>({
    async check(code, options = {}) {
      const { itemId, signal } = options
      if ('itemId' in options) check('itemId', itemId, itemIdRule)
      if (signal?.aborted) throw new SaleproofError('aborted', {})
      const text = readPurchaseCode(code)
      let found: GateCheck<S> = text
        ? await withAbort(decide(toQuery(text), options), signal)
        : { outcome: 'invalid', reason: 'malformed_code', source: 'local', graceUntil: undefined }
      if (found.outcome === 'valid' && !isItem(found.purchase, itemId)) {
        const source = found.source === 'api' ? 'api' : 'cache'
        found = { outcome: 'invalid', reason: 'wrong_item', source, graceUntil: undefined }
      }
      if (log) report(toEvent(found))
      return deepFreeze(found)
    },
    async forget(code) {
      const query = toQuery(readPurchaseCode(code) ?? '')
      const { key } = await lookUp(query)
      await flights.get(key)?.catch(() => {})
      pending.delete(key)
      await entries.delete(key)
    },
  })
}

function toEvent(found: GateCheck): GateEvent {
  if (found.outcome === 'invalid') return { event: 'refused', reason: found.reason }
  if (found.outcome === 'unknown') return { event: 'unknown', error: found.error }
  return { event: found.source === 'grace' ? 'grace' : found.source === 'api' ? 'miss' : 'hit' }
}
