import type { Purchase, Shape } from '@saleproof/schema'
import { SaleproofError } from '../errors.ts'
import { check, itemIdRule, type Rule } from '../options.ts'
import { readPurchaseCode } from '../purchase-code.ts'
import { race } from '../race.ts'
import type { Client, InvalidReason } from '../types.ts'
import { createMemory, type GateEntry, type GateStore } from './store.ts'

/** The options of a gate. */
export interface GateOptions<S extends Shape = Shape> {
  readonly client: Pick<Client<S>, 'checkPurchase'>
  /** How long a valid result is cached: the time that a refund may go unnoticed. 15 minutes by default. */
  readonly ttlMs?: number
  /** How long an invalid result is cached. 30 seconds by default. */
  readonly negativeTtlMs?: number
  /** How long a code stays valid in an outage after its last valid result. 72 hours by default, 30 days at most; 0 for never. */
  readonly graceMs?: number
  /** Where results are cached; in the memory of this process by default. */
  readonly store?: GateStore
  /** Mixed into the hashes that an external store sees: a secret of the installation. */
  readonly pepper?: string
  /** Called when the store fails. What it throws is ignored. */
  readonly onStoreError?: (error: unknown) => unknown
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number
}

/** The options of a check at the gate. */
export interface GateCheckOptions {
  /** The item that the code must be for; any item of the workspace by default. */
  readonly itemId?: number
  /** Ends the wait of this caller; other callers still get the result. */
  readonly signal?: AbortSignal
}

/**
 * The result of a check. `source` is `api` (a new response), `store` (cached) or `grace` (an outage, and the last result was valid).
 */
export type GateCheck<S extends Shape = Shape> =
  | {
      readonly outcome: 'valid'
      readonly purchase: Purchase<S>
      readonly source: 'api' | 'store' | 'grace'
      /** When the API said so, in milliseconds since 1970. */
      readonly checkedAt: number
    }
  | { readonly outcome: 'invalid'; readonly reason: InvalidReason }
  | { readonly outcome: 'unknown'; readonly error: SaleproofError }

/** A cache in front of a client that survives outages. */
export interface Gate<S extends Shape = Shape> {
  /** Like `client.checkPurchase`, from the cache where possible. */
  check(code: string, options?: GateCheckOptions): Promise<GateCheck<S>>
}

const storeTimeoutMs = 500
const timeRule: Rule = [/^\d{1,10}$/, 'a whole number of milliseconds']

const withAbort = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal
    ? new Promise((resolve, reject) => {
        const abort = () => reject(new SaleproofError('aborted', {}))
        signal.addEventListener('abort', abort)
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
        if (signal.aborted) abort()
      })
    : work

/** SHA-256 in hexadecimal. `pepper` keeps a reader of the store from guessing short codes by their hash. */
async function hashCode(code: string, pepper: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${pepper}\n${code}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A well-formed entry. */
type Entry<S extends Shape> = Omit<GateEntry<S>, 'outcome' | 'purchase' | 'reason'> &
  (
    | { readonly outcome: 'valid'; readonly purchase: Purchase<S> }
    | { readonly outcome: 'invalid'; readonly reason: InvalidReason }
  )

const isEntry = <S extends Shape>(entry: GateEntry | undefined | null): entry is Entry<S> =>
  !!entry &&
  entry.at >= 0 &&
  (entry.outcome === 'valid' ? (entry.purchase?.item?.id ?? 0) > 0 : !!entry.reason)

/** A store that never fails and never hangs. An invalid result that could not be written is kept in memory: it must win. */
function resilientStore<S extends Shape>(store: GateStore, onError: GateOptions['onStoreError']): Memory<S> {
  const unwritten = createMemory<Entry<S>>()
  const bound = <T>(work: () => T | Promise<T>, failed?: () => unknown): Promise<T | undefined> => {
    const report = (error: unknown): undefined => {
      failed?.()
      try {
        onError?.(error)
      } catch {}
    }
    const late = () => report(new Error('store timed out'))
    return race((async () => await work())().catch(report), storeTimeoutMs, undefined, late)
  }
  return {
    async get(key) {
      const found = await bound(() => store.get(key))
      const entry = isEntry<S>(found) ? found : undefined
      const no = unwritten.get(key)
      return no && !(entry && entry.at > no.at) ? no : entry
    },
    async set(key, entry, keepMs) {
      await bound(
        () => store.set(key, entry, keepMs),
        () => entry.outcome === 'invalid' && unwritten.set(key, entry),
      )
    },
  }
}

/** The age of results, by a clock that may be set back. */
function createAges(now: () => number) {
  let latest = 0
  return {
    now,
    latest: () => latest,
    /** After a response of the API the clock is trusted again. */
    trust() {
      latest = now()
    },
    /** Milliseconds since a result; NaN, which is less than no limit, when the clock was set back. */
    of({ at, seen = at }: Pick<GateEntry, 'at' | 'seen'>) {
      const time = now()
      const age = time >= latest && time >= seen ? time - at : Number.NaN
      latest = Math.max(latest, time)
      return age
    },
  }
}

function toResult<S extends Shape>(
  entry: Entry<S>,
  code: string,
  source: 'api' | 'store' | 'grace',
): GateCheck<S> {
  if (entry.outcome === 'invalid') return { outcome: 'invalid', reason: entry.reason }
  const { purchase } = entry
  const shown = purchase.purchase_code ? purchase : { ...purchase, purchase_code: code }
  return { outcome: 'valid', purchase: shown, source, checkedAt: entry.at }
}

interface Memory<S extends Shape> {
  get(key: string): Entry<S> | undefined | Promise<Entry<S> | undefined>
  set(key: string, entry: Entry<S>, keepMs: number): unknown
}

type Times = Required<Pick<GateOptions, 'ttlMs' | 'negativeTtlMs' | 'graceMs'>>

function readTimes({ ttlMs = 900_000, negativeTtlMs = 30_000, graceMs = 259_200_000 }: GateOptions): Times {
  check('ttlMs', ttlMs, timeRule)
  check('negativeTtlMs', negativeTtlMs, timeRule)
  check('graceMs', graceMs <= 2_592_000_000 && graceMs, timeRule)
  return { ttlMs, negativeTtlMs, graceMs }
}

/** Asks the API and caches the result. `bare`: entries must not hold the code. */
function createAsk<S extends Shape>(
  client: GateOptions<S>['client'],
  memory: Memory<S>,
  ages: ReturnType<typeof createAges>,
  { ttlMs, negativeTtlMs, graceMs }: Times,
  bare: boolean,
) {
  const keep = (key: string, entry: Entry<S>) =>
    memory.set(
      key,
      entry,
      entry.outcome === 'valid' ? Math.max(ttlMs, graceMs) : Math.max(negativeTtlMs, 60_000),
    )

  return async (key: string, code: string): Promise<GateCheck<S>> => {
    const at = ages.now()
    const asked = await client.checkPurchase(code)
    const last = await memory.get(key)
    if (asked.outcome === 'unknown') {
      if (last?.outcome !== 'valid' || !(ages.of(last) < graceMs))
        return { outcome: 'unknown', error: asked.error }
      await keep(key, { ...last, seen: ages.latest() })
      return toResult(last, code, 'grace')
    }
    ages.trust()
    if (asked.outcome === 'invalid') {
      await keep(key, { outcome: 'invalid', at, reason: asked.reason })
      return { outcome: 'invalid', reason: asked.reason }
    }
    // Another caller got an invalid result after this request was sent.
    if (last?.outcome === 'invalid' && last.at > at && last.at <= ages.latest())
      return toResult(last, code, 'api')
    const { purchase } = asked
    await keep(key, { outcome: 'valid', at, purchase: bare ? { ...purchase, purchase_code: '' } : purchase })
    return { outcome: 'valid', purchase, source: 'api', checkedAt: at }
  }
}

/**
 * Creates a gate. It caches results, shares one request among concurrent callers, and keeps valid codes valid during an outage. An
 * invalid result of the API always wins over the cache.
 *
 * @example
 * const gate = createGate({ client })
 * const check = await gate.check(code, { itemId: 101 })
 */
export function createGate<S extends Shape = Shape>(options: GateOptions<S>): Gate<S> {
  const { client, store, onStoreError, pepper = '', now = Date.now } = options
  const times = readTimes(options)
  const memory: Memory<S> = store ? resilientStore(store, onStoreError) : createMemory()
  const ages = createAges(now)
  const ask = createAsk(client, memory, ages, times, !!store)
  const flights = new Map<string, Promise<GateCheck<S>>>()

  async function known(code: string, signal: AbortSignal | undefined): Promise<GateCheck<S>> {
    const key = store ? await hashCode(code, pepper) : code
    const found = memory.get(key)
    const entry = found instanceof Promise ? await withAbort(found, signal) : found
    if (entry && ages.of(entry) < (entry.outcome === 'valid' ? times.ttlMs : times.negativeTtlMs)) {
      return toResult(entry, code, 'store')
    }
    let flight = flights.get(key)
    if (!flight) {
      flight = ask(key, code).finally(() => flights.delete(key))
      flights.set(key, flight)
    }
    return withAbort(flight, signal)
  }

  return Object.freeze<Gate<S>>({
    async check(code, options = {}) {
      const { itemId, signal } = options
      if ('itemId' in options) check('itemId', itemId, itemIdRule)
      if (signal?.aborted) throw new SaleproofError('aborted', {})
      const text = readPurchaseCode(code)
      if (!text) return { outcome: 'invalid', reason: 'malformed_code' }
      const found = await known(text, signal)
      return found.outcome === 'valid' &&
        itemId !== undefined &&
        String(found.purchase.item.id) !== String(itemId)
        ? { outcome: 'invalid', reason: 'wrong_item' }
        : found
    },
  })
}
