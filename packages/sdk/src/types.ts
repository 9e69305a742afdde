import type { Account, Item, Purchase, Shape } from '@saleproof/schema'
import type { OperationName } from '@saleproof/schema/constants'
import type { SaleproofError } from './errors.ts'

/** The part of `fetch` that this package needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The part of a Standard Schema that this package needs: one of Valibot, Zod, ArkType and others, sync or async. */
export interface StandardSchema {
  readonly '~standard': {
    validate(value: unknown): SchemaResult | Promise<SchemaResult>
  }
}

type SchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly unknown[] }

/** What makes a client believe passes alone. `verifyPasses` of `@saleproof/sdk/passes` makes it. */
export type Passes = (call: never) => unknown

/** A schema for what each call returns, such as `operationSchemas.base` of `@saleproof/schema`. Its output is not used. */
export type Validate = { readonly [Name in OperationName]?: StandardSchema | undefined }

/** The options of a call, which can also be set for the client. */
export interface CallOptions<S extends Shape = Shape> {
  /** The requested shape; by default the API decides, and the result is either. */
  readonly shape?: S | undefined
  /** The timeout of one attempt, including the body. 5,000 by default. */
  readonly timeoutMs?: number | undefined
  /** The timeout of the call, including retries and waits. 15,000 by default. */
  readonly totalTimeoutMs?: number | undefined
  /** Attempts after the first one, 0 to 9. 2 by default. */
  readonly maxRetries?: number | undefined
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a check without a client, and of a client for a publishable key. */
export interface ConnectionOptions<S extends Shape = Shape> extends Omit<CallOptions<S>, 'signal'> {
  /** The URL of the API, including a path prefix: `https:`, or `http:` on this machine. */
  readonly baseUrl: string | URL
  /**
   * `true` allows `http:` to other machines: anyone on that network can read the key, and can answer in place of the API.
   * `false` by default.
   */
  readonly allowInsecureHttp?: boolean | undefined
  /**
   * The messages, word for word, by which a deployment that sends no `X-Error-Code` says with its 404 that a purchase code is invalid.
   * Those of the API in English and Portuguese are always among them. Not a message of other failures, such as `Not found`.
   */
  readonly invalidMessages?: readonly string[] | undefined
  /** The API key of the workspace, or a function that gives it before each attempt. */
  readonly apiKey: string | undefined | (() => string | Promise<string>)
  /** How the key is sent. `parameter` is for deployments that do not read `Authorization`. `header` by default. */
  readonly keyPlacement?: 'header' | 'parameter' | undefined
  /** Instead of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Believes passes alone: by `verifyPasses` of `@saleproof/sdk/passes`. Any response of the API is believed by default. */
  readonly passes?: Passes | undefined
}

/** The options of a client. */
export interface ClientOptions<S extends Shape = Shape> extends ConnectionOptions<S> {
  /** Additional checks of what calls return; a value with issues is an `invalid_response`. */
  readonly validate?: Validate | undefined
}

/**
 * Why a purchase is invalid:
 *
 * - `malformed_code`: empty, over 255 characters or with control characters; nothing was sent
 * - `purchase_not_found`: never sold
 * - `purchase_not_active`: refunded or revoked
 * - `wrong_item`: a purchase of another item
 */
export type InvalidReason = 'malformed_code' | 'purchase_not_found' | 'purchase_not_active' | 'wrong_item'

/** The purchase exists and is active. */
export interface ValidCheck<S extends Shape = Shape> {
  readonly outcome: 'valid'
  readonly purchase: Purchase<S>
}

/** The API rejected the code, or the code cannot be valid. */
export interface InvalidCheck {
  readonly outcome: 'invalid'
  readonly reason: InvalidReason
}

/** The outcome is unknown: an outage, a rate limit, a wrong key. It says nothing about the code. */
export interface UnknownCheck {
  readonly outcome: 'unknown'
  readonly error: SaleproofError
}

/** The outcome of a check. */
export type PurchaseCheck<S extends Shape = Shape> = ValidCheck<S> | InvalidCheck | UnknownCheck

/** The options of a check. */
export interface CheckOptions<S extends Shape = Shape> extends CallOptions<S> {
  /** The item that the code must be for; any item of the workspace by default. One that is `undefined` is a configuration error. */
  readonly itemId?: number | string | undefined
}

/** A client of one workspace. Frozen; prints nothing of its key. */
export interface Client<S extends Shape = Shape> {
  /** The account that owns the key. */
  getAccount(options?: CallOptions): Promise<Account>
  /** All items of the workspace, newest first; throws `no_items` where there are none. */
  listItems<T extends Shape = S>(options?: CallOptions<T>): Promise<Item<T>[]>
  /** One item; throws `item_not_found`. */
  getItem<T extends Shape = S>(id: number, options?: CallOptions<T>): Promise<Item<T>>
  /** The purchase of a code; throws `purchase_not_found` and `purchase_not_active`. To decide about access, use `checkPurchase`. */
  validatePurchase<T extends Shape = S>(code: string, options?: CallOptions<T>): Promise<Purchase<T>>
  /** Checks a code: `valid`, `invalid` or `unknown`. Rejects only for a mistake in the options and when `signal` aborts. */
  checkPurchase<T extends Shape = S>(code: string, options?: CheckOptions<T>): Promise<PurchaseCheck<T>>
}
