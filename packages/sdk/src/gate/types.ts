import type { Purchase, Shape } from '@saleproof/schema'
import type { SaleproofError } from '../errors.ts'
import type { CheckOptions, Client, InvalidReason } from '../types.ts'
import type { GateStore } from './gate-store.ts'

/** What a gate does when the API cannot be asked: see `onUnknown` of {@link GateOptions}. */
export type OnUnknown = 'deny' | { readonly allowCachedMs: number }

/** What a gate reports to its option `log`: what a store threw. It holds no code and no key. */
export interface GateEvent {
  readonly event: 'store-error'
  readonly error: { readonly name?: string; readonly code?: string; readonly message?: string }
}

/** The options of a gate. */
export interface GateOptions<S extends Shape = Shape> {
  /** The client that asks the API. */
  readonly client: Pick<Client<S>, 'checkPurchase'>
  /**
   * What happens when the API cannot be asked: `deny`, or codes that were valid stay valid for `allowCachedMs` after the API last
   * said so, at most 30 days. Left out where the client has `passes`: a code then stays valid until its pass ends.
   */
  readonly onUnknown?: OnUnknown | undefined
  /** How long a valid result is cached: the time that a refund may go unnoticed. 15 minutes by default. */
  readonly ttlMs?: number | undefined
  /** How long an invalid result is cached. 30 seconds by default. */
  readonly negativeTtlMs?: number | undefined
  /**
   * How long a check waits for a slow response when there is grace: then the code stays valid, and the response is awaited in the
   * background. 2 seconds by default.
   */
  readonly maxWaitMs?: number | undefined
  /** Where results are kept, such as `createFileStore`; in the memory of this process by default. */
  readonly store?: GateStore | undefined
  /** Called when the store fails. What it throws is ignored. */
  readonly log?: ((event: GateEvent) => unknown) | undefined
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** The options of a check at the gate. */
export interface GateCheckOptions extends Pick<CheckOptions, 'itemId'> {
  /** Ends the wait of this caller, who gets grace if there is some; other callers still get the result. */
  readonly signal?: AbortSignal | undefined
  /**
   * That of a runtime which ends background work with its request, such as Cloudflare Workers: with it an outage is probed in the
   * background, without it by a check that waits.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/** A valid code. */
export interface GateValid<S extends Shape = Shape> {
  readonly outcome: 'valid'
  readonly purchase: Purchase<S>
  /** `api`: a new response. `cache`: a cached one. `grace`: the API cannot be asked, and the code was valid before. */
  readonly source: 'api' | 'cache' | 'grace'
  /** When the API was asked, in milliseconds since 1970. */
  readonly checkedAt: number
  /** How long the code stays valid in an outage, in milliseconds since 1970; `undefined` without grace. */
  readonly graceUntil: number | undefined
}

/** An invalid code. */
export interface GateInvalid {
  readonly outcome: 'invalid'
  readonly reason: InvalidReason
  /** `local`: nothing was sent, because the code is malformed. */
  readonly source: 'api' | 'cache' | 'local'
  readonly graceUntil?: undefined
}

/** The outcome is unknown. It says nothing about the code. */
export interface GateUnknown {
  readonly outcome: 'unknown'
  readonly error: SaleproofError
  /** `cache`: the API was not asked, because it just failed to answer or 1,000 other codes wait. */
  readonly source: 'api' | 'cache'
  readonly graceUntil?: undefined
}

/** The result of a check at the gate. Frozen, with its purchase and item. */
export type GateCheck<S extends Shape = Shape> = GateValid<S> | GateInvalid | GateUnknown

/** A cache in front of a client that survives outages. */
export interface Gate<S extends Shape = Shape> {
  /** Like `client.checkPurchase`, from the cache where possible. */
  check(code: string, options?: GateCheckOptions): Promise<GateCheck<S>>
  /** Forgets what is cached about a code; the next check asks the API. */
  forget(code: string): Promise<void>
  /** Forgets an outage; the next check asks the API. */
  reset(): void
}
