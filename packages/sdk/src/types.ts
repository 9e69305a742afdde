import type { Account, Item, Locale, Purchase, Shape } from '@saleproof/schema'
import type { OperationName } from '@saleproof/schema/constants'
import type { SaleproofError } from './errors.ts'

/** What this package needs of `fetch`: the platform's own fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * A further check of every success body, such as `strictValidator` of `@saleproof/sdk/schemas`. It returns whether the value has
 * the form that the operation promises.
 */
export type Validate = (operation: OperationName, value: unknown, shape: Shape | undefined) => boolean

/** What a hook is told after every attempt. It holds no key, no code and no URL. */
export interface AttemptEvent {
  readonly operation: OperationName
  /** What went wrong, if anything did. */
  readonly error: SaleproofError | undefined
  /** When the next attempt follows; `undefined` when this was the last. */
  readonly retryInMs: number | undefined
  /** How the call went so far. */
  readonly meta: CallMeta
}

/** What can be set for a single call as well as for the client. */
export interface CallOptions<S extends Shape = Shape> {
  /** The shape to ask for; without it the API decides, and the result is either. */
  readonly shape?: S
  /** The language of the API's messages: `en`, `pt` or any value of `Accept-Language`. */
  readonly locale?: Locale | (string & {})
  /** The longest that one attempt may take, its body included. 5,000 by default. */
  readonly timeoutMs?: number
  /** The longest that the call may take, retries and waits included. 15,000 by default. */
  readonly totalTimeoutMs?: number
  /** Attempts after the first, 0 to 9. 2 by default. */
  readonly maxRetries?: number
  /** Ends the call at once. */
  readonly signal?: AbortSignal
}

/** How a client is made. */
export interface ClientOptions<S extends Shape = Shape> extends Omit<CallOptions<S>, 'signal'> {
  /** Where the API is: an `https:` address, a path prefix included; `http:` for this machine only. */
  readonly baseUrl: string | URL
  /** The API key of the workspace, or a function that gives it before each attempt. */
  readonly apiKey: string | undefined | (() => string | Promise<string>)
  /** Where the key travels. `parameter` is for deployments that do not read `Authorization`. `header` by default. */
  readonly keyPlacement?: 'header' | 'parameter'
  /** Instead of the platform's `fetch`. */
  readonly fetch?: Fetch
  /** A further check of every success body. */
  readonly validate?: Validate
  /** Told of every attempt. What it throws is ignored. */
  readonly onAttempt?: (event: AttemptEvent) => unknown
}

/** How much of the limit of the key is left, as the API last said. */
export interface RateLimit {
  readonly remaining: number
  /** Until the count starts anew. */
  readonly resetMs: number
}

/** How a call went. */
export interface CallMeta {
  /** Of the last answer; `undefined` where none arrived. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** Requests that were made; 0 when none was needed. */
  readonly attempts: number
  /** How long the whole call took. */
  readonly durationMs: number
  readonly rateLimit: RateLimit | undefined
}

/** The result of a call that does not throw. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly meta: CallMeta }
  | { readonly ok: false; readonly error: SaleproofError; readonly meta: CallMeta }

/**
 * Why a purchase is invalid:
 *
 * - `malformed_code`: no code can look like this (empty, over 255 characters, control characters); nothing was sent
 * - `purchase_not_found`: never sold
 * - `purchase_not_active`: refunded or revoked
 * - `wrong_item`: sold, but another item than the one that was asked for
 */
export type InvalidReason = 'malformed_code' | 'purchase_not_found' | 'purchase_not_active' | 'wrong_item'

/** The code was sold and still counts. */
export interface ValidCheck<S extends Shape = Shape> {
  readonly outcome: 'valid'
  readonly purchase: Purchase<S>
  readonly meta: CallMeta
}

/** The API said no, or no API could say yes. */
export interface InvalidCheck {
  readonly outcome: 'invalid'
  readonly reason: InvalidReason
  readonly meta: CallMeta
}

/** Nobody knows: an outage, a limit, a wrong key. It says nothing about the code. */
export interface UnknownCheck {
  readonly outcome: 'unknown'
  readonly error: SaleproofError
  readonly meta: CallMeta
}

/** What is known of a purchase code: never a boolean, because there are three answers. */
export type PurchaseCheck<S extends Shape = Shape> = ValidCheck<S> | InvalidCheck | UnknownCheck

/** What can be set for a check. */
export interface CheckOptions<S extends Shape = Shape> extends CallOptions<S> {
  /** The item that the code has to be for; any item of the workspace without it. */
  readonly itemId?: number
}

/** The calls that give a {@link Result} instead of throwing. */
export interface SafeCalls<S extends Shape = Shape> {
  getAccount(options?: CallOptions): Promise<Result<Account>>
  listItems<T extends Shape = S>(options?: CallOptions<T>): Promise<Result<Item<T>[]>>
  getItem<T extends Shape = S>(id: number, options?: CallOptions<T>): Promise<Result<Item<T>>>
  validatePurchase<T extends Shape = S>(code: string, options?: CallOptions<T>): Promise<Result<Purchase<T>>>
}

/** A client of one workspace. Frozen; prints nothing of its key. */
export interface Client<S extends Shape = Shape> {
  /** The account that owns the key. */
  getAccount(options?: CallOptions): Promise<Account>
  /** All items of the workspace, newest first; throws `no_items` where there are none. */
  listItems<T extends Shape = S>(options?: CallOptions<T>): Promise<Item<T>[]>
  /** One item; throws `item_not_found`. */
  getItem<T extends Shape = S>(id: number, options?: CallOptions<T>): Promise<Item<T>>
  /**
   * The purchase of a code; throws `purchase_not_found` and `purchase_not_active`. To decide whether somebody may use what they
   * bought, take {@link Client.checkPurchase}: it keeps "no" and "nobody knows" apart.
   */
  validatePurchase<T extends Shape = S>(code: string, options?: CallOptions<T>): Promise<Purchase<T>>
  /**
   * What is known of a code: `valid`, `invalid` or `unknown`. Rejects only for a mistake in the options and when `signal` aborts.
   *
   * @example
   * const check = await client.checkPurchase(code, { itemId: 101 })
   * if (check.outcome === 'valid') unlock(check.purchase)
   */
  checkPurchase<T extends Shape = S>(code: string, options?: CheckOptions<T>): Promise<PurchaseCheck<T>>
  /** The same four calls, as a {@link Result} that tells how the call went; they never reject. */
  readonly safe: SafeCalls<S>
}
