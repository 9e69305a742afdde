import type { ErrorCode } from '@saleproof/schema/constants'

/**
 * The kind of an error, a closed list:
 *
 * - `configuration`: an option or an argument that cannot work; nothing was sent
 * - `aborted`: the signal of the caller
 * - `timeout`: an attempt or the whole call took too long
 * - `connection`: no complete response arrived (DNS, TLS, a reset, a body cut short); `code` is the system's own, such as `ENOTFOUND`
 * - `invalid_response`: not the response of this API to this call: a redirect, HTML, too large, fields missing, another purchase or item
 * - `authentication`: the API refused the key (401, 403)
 * - `not_found`: the API found nothing (404)
 * - `rate_limited`: too many requests (429); not `retryable` past the limit of wrong codes and keys, where right ones are answered as always
 * - `rejected`: the API, or this client before it, refused the request (any other 4xx)
 * - `server`: the API failed (5xx)
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
 * `apiKey` failed. Of an `invalid_response`: `redirected`, `too_large`, and `unsigned_response` where there is no pass that verifies.
 */
export type ClientErrorCode =
  | 'malformed_code'
  | 'key_unavailable'
  | 'redirected'
  | 'too_large'
  | 'unsigned_response'

/**
 * Every error that the calls of this package throw. Safe to log: it holds no API key, no purchase code and nothing of the request.
 * `explain` of `@saleproof/sdk/messages` describes it in a sentence.
 *
 * @example
 * try {
 *   await client.getItem(101)
 * } catch (error) {
 *   if (isSaleproofError(error)) console.error(error.kind, error.code, error.requestId)
 * }
 */
export class SaleproofError extends Error {
  declare readonly kind: ErrorKind
  /** The reason: `X-Error-Code` of the API, this client's own or the system's. Later versions may have others. */
  declare readonly code: ErrorCode | ClientErrorCode | (string & {}) | undefined
  /** The HTTP status, if a response arrived. */
  declare readonly status: number | undefined
  /** `X-Request-Id` of the response: quote it to the seller's support. */
  declare readonly requestId: string | undefined
  /** Whether the same call may succeed later, unchanged. */
  declare readonly retryable: boolean
  /** How long the API asked to wait, in milliseconds. */
  declare readonly retryAfterMs: number | undefined

  constructor(kind: ErrorKind, details: Partial<SaleproofError>, message?: string) {
    super(message ?? [kind, details.status, details.code].filter(Boolean).join(' '))
    this.name = 'SaleproofError'
    Object.assign(this, { kind, retryable: /timeout|connection/.test(kind) }, details)
  }
}

/** Whether a value is an error of this package, from any copy of it: by its name, as two versions have a class each. */
export const isSaleproofError = (value: unknown): value is SaleproofError =>
  Object(value).name === 'SaleproofError'
