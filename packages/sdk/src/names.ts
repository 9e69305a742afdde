// Written out, so that the published types are these few lines and not the tables that the schema package derives them from;
// `test/types.test.ts` proves them equal.

/** The name of a call. */
export type OperationName = 'getAccount' | 'listItems' | 'getItem' | 'validatePurchase'

/** The reasons that this version of the API gives, as sent in `X-Error-Code`. */
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
