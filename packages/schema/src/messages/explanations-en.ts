import type { ErrorCode } from '../errors.ts'

// The explanations of errors in English, in two parts: the SDK bundles the first one alone.

/** Explains the errors of well-formed requests. */
export const clientExplanations = {
  missing_api_key:
    'No API key was sent: send it as “Authorization: Bearer KEY”, as “X-Api-Key: KEY” or as the parameter “api_key”.',
  invalid_api_key: 'This service knows no such API key: copy it again from the settings of the workspace.',
  expired_api_key: 'The API key has passed its expiry date: its owner has to make a new one.',
  revoked_api_key: 'The API key was revoked by its owner: use another one.',
  key_not_allowed:
    'A publishable key can only validate purchase codes: use a secret key for this operation, on a server.',
  no_items: 'The workspace of this key has no items yet.',
  item_not_found: 'The workspace of this key has no item with this id.',
  purchase_not_found: 'No purchase that this key may see has this code: it was mistyped or never sold.',
  purchase_not_active: 'The purchase exists but was refunded or revoked: it no longer entitles to anything.',
  route_not_found: 'There is nothing at this address: check the path against the reference.',
  request_timeout: 'The request did not arrive completely in time: send it again.',
  rate_limited: 'Too many requests in too short a time: wait as many seconds as “Retry-After” says.',
  internal_error:
    'An unexpected error of the service; this says nothing about the key or the code: try again later.',
  unavailable:
    'The service is temporarily unavailable; this says nothing about the key or the code: try again after “Retry-After” seconds.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** Explains the errors that only a malformed request has. */
export const requestExplanations = {
  missing_parameter: 'A parameter that the operation needs was not sent or is empty: send it.',
  invalid_parameter:
    'A parameter has a form that it cannot have, or was sent twice with different values: send it once, in the form that the reference shows.',
  conflicting_api_keys:
    'Different API keys were sent in one request (header, query, body): send one key in one place.',
  malformed_body: 'The body could not be read as what its headers say it is: check its encoding and syntax.',
  body_too_large:
    'The body is larger than 16 KiB, before or after it was uncompressed: send only the parameters.',
  unsupported_media_type:
    'The body has a type or an encoding that is not taken: send JSON, form-urlencoded or multipart, plain or as gzip, deflate or br.',
  method_not_allowed: 'This address does not take this method: the header “Allow” names those that it takes.',
  malformed_request: 'The request breaks the rules of HTTP and could not be read.',
  request_too_large: 'The address or the headers of the request are too long: shorten them.',
  expectation_failed: 'The header “Expect” asks for something other than “100-continue”: leave it out.',
} as const satisfies Partial<Record<ErrorCode, string>>
