import type { ErrorCode, OperationName } from '@saleproof/schema/constants'

/**
 * What went wrong, as a closed list:
 *
 * - `configuration`: an option or an argument that cannot work; nothing was sent
 * - `aborted`: the signal of the caller
 * - `timeout`: an attempt or the whole call took too long
 * - `connection`: no whole answer arrived (DNS, TLS, a reset, a body cut short); `code` is the system's own, such as `ENOTFOUND`
 * - `invalid_response`: an answer that is not this API's: a redirect, HTML, too large, members missing
 * - `authentication`: the API refused the key (401, 403)
 * - `not_found`: the API knows no such thing (404)
 * - `rate_limited`: too many requests (429)
 * - `rejected`: the API, or this client before it, refused the request (any other 4xx)
 * - `server`: the API could not answer (5xx)
 */
export type ErrorKind =
  | 'configuration'
  | 'aborted'
  | 'timeout'
  | 'connection'
  | 'invalid_response'
  | 'authentication'
  | 'not_found'
  | 'rate_limited'
  | 'rejected'
  | 'server'

/**
 * A reason that this client gives itself. `malformed_code`: this cannot be a purchase code. `key_unavailable`: the function
 * `apiKey` failed. The others are what an `invalid_response` was.
 */
export type ClientErrorCode =
  | 'malformed_code'
  | 'key_unavailable'
  | 'redirected'
  | 'too_large'
  | 'not_json'
  | 'unexpected_body'
  | 'other_purchase'

/** What is known about a failure beside its kind. */
export interface ErrorDetails {
  /** The reason: `X-Error-Code` of the API, this client's own or the system's. Later versions may have others. */
  readonly code?: ErrorCode | ClientErrorCode | (string & {}) | undefined
  /** The HTTP status, where an answer arrived. */
  readonly status?: number | undefined
  /** `X-Request-Id` of the answer: quote it when asking the seller's support. */
  readonly requestId?: string | undefined
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retryable?: boolean
  /** How long the API asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The call that failed. */
  readonly operation?: OperationName | undefined
  /** The API's own words, in the language that was asked for; left out when they repeat a key or a code. */
  readonly serverMessage?: string | undefined
}

// Registered, so that the ESM and the CommonJS copy of this package, or two versions of it, know each other's errors.
const brand = Symbol.for('saleproof.error')

/**
 * Everything that the calls of this package throw. Safe to log whole: it holds no API key, no purchase code and nothing of the
 * request. `explain` of `@saleproof/sdk/messages` puts it into a sentence.
 *
 * @example
 * try {
 *   await client.getItem(101)
 * } catch (error) {
 *   if (isSaleproofError(error)) console.error(error.kind, error.code, error.requestId)
 * }
 */
export class SaleproofError extends Error implements ErrorDetails {
  declare readonly kind: ErrorKind
  declare readonly code: ErrorCode | ClientErrorCode | (string & {}) | undefined
  declare readonly status: number | undefined
  declare readonly requestId: string | undefined
  declare readonly retryable: boolean
  declare readonly retryAfterMs: number | undefined
  declare readonly operation: OperationName | undefined
  declare readonly serverMessage: string | undefined

  /** @internal */
  get [brand](): true {
    return true
  }

  constructor(kind: ErrorKind, details: ErrorDetails, message?: string) {
    const { operation, status, code } = details
    super(message ?? [operation, kind, status, code].filter(Boolean).join(' '))
    this.name = 'SaleproofError'
    Object.assign(this, { kind, retryable: false }, details)
  }
}

/**
 * Tells whether a value is an error of this package, whichever copy of it made the error.
 *
 * @example
 * isSaleproofError(error) && error.retryable
 */
export const isSaleproofError = (value: unknown): value is SaleproofError => brand in Object(value)
