import { typedKeys } from './keys.ts'

/** The machine-readable reason of a failure, as sent in `X-Error-Code`. */
export type ErrorCode =
  | 'missing_parameter'
  | 'invalid_parameter'
  | 'conflicting_api_keys'
  | 'malformed_body'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'expired_api_key'
  | 'revoked_api_key'
  | 'key_not_allowed'
  | 'no_items'
  | 'item_not_found'
  | 'purchase_not_found'
  | 'purchase_not_active'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'malformed_request'
  | 'request_timeout'
  | 'request_too_large'
  | 'expectation_failed'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'

/** Which message a failure carries: the operation's own, or one of the general ones. */
export type GeneralMessage =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_many_requests'
  | 'internal_error'
  | 'unavailable'

interface ErrorEntry {
  /** The HTTP status. */
  status: number
  message: 'operation' | GeneralMessage
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean
}

const operation = (status: number) => ({ status, message: 'operation', retryable: false }) as const
const refused = (status: number) => ({ status, message: 'invalid_request', retryable: false }) as const

/**
 * The one table of what can go wrong: the code (sent as `X-Error-Code`), its HTTP status and its message. `request_too_large`
 * is 431 for the headers and 414 for the URL.
 *
 * @example
 * errors.purchase_not_found.status // 404
 */
export const errors = {
  missing_parameter: operation(400),
  invalid_parameter: operation(400),
  conflicting_api_keys: refused(400),
  malformed_body: refused(400),
  missing_api_key: refused(401),
  invalid_api_key: refused(401),
  expired_api_key: refused(401),
  revoked_api_key: refused(401),
  key_not_allowed: refused(403),
  no_items: operation(404),
  item_not_found: operation(404),
  purchase_not_found: operation(404),
  purchase_not_active: operation(404),
  body_too_large: refused(413),
  unsupported_media_type: refused(415),
  route_not_found: { status: 404, message: 'not_found', retryable: false },
  method_not_allowed: { status: 405, message: 'method_not_allowed', retryable: false },
  malformed_request: refused(400),
  request_timeout: { status: 408, message: 'invalid_request', retryable: true },
  request_too_large: refused(431),
  expectation_failed: refused(417),
  rate_limited: { status: 429, message: 'too_many_requests', retryable: true },
  internal_error: { status: 500, message: 'internal_error', retryable: true },
  unavailable: { status: 503, message: 'unavailable', retryable: true },
} as const satisfies Record<ErrorCode, ErrorEntry>

/** Every error code, in the order of the documents. */
export const errorCodes: readonly ErrorCode[] = /* @__PURE__ */ typedKeys(errors)

/**
 * Whether a text, such as the header of a response, is a code of this version.
 *
 * @example
 * isErrorCode('item_not_found') // true
 */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errors, text)

/** The status of `request_too_large` when it is the URL that is too long. */
export const urlTooLongStatus = 414
