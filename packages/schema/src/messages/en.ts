import type { ErrorCode, GeneralMessage } from '../errors.ts'

/** The English texts. They are the type of every other language: what is missing there does not compile. */
export const en = {
  general: {
    invalid_request: 'Invalid request',
    not_found: 'Not found',
    method_not_allowed: 'Method not allowed',
    too_many_requests: 'Too many requests',
    internal_error: 'Internal server error',
    unavailable: 'Service unavailable',
  },
  explanations: {
    missing_parameter: 'A parameter that the operation needs was not sent or is empty: send it.',
    invalid_parameter:
      'A parameter has a form that it cannot have, or was sent twice with different values: send it once, in the form that the reference shows.',
    conflicting_api_keys:
      'Different API keys were sent in one request (header, query, body): send one key in one place.',
    malformed_body:
      'The body could not be read as what its headers say it is: check its encoding and syntax.',
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
    purchase_not_active:
      'The purchase exists but was refunded or revoked: it no longer entitles to anything.',
    body_too_large:
      'The body is larger than 16 KiB, before or after it was uncompressed: send only the parameters.',
    unsupported_media_type:
      'The body has a type or an encoding that is not taken: send JSON, form-urlencoded or multipart, plain or as gzip, deflate or br.',
    route_not_found: 'There is nothing at this address: check the path against the reference.',
    method_not_allowed:
      'This address does not take this method: the header “Allow” names those that it takes.',
    malformed_request: 'The request breaks the rules of HTTP and could not be read.',
    request_timeout: 'The request did not arrive completely in time: send it again.',
    request_too_large: 'The address or the headers of the request are too long: shorten them.',
    expectation_failed: 'The header “Expect” asks for something other than “100-continue”: leave it out.',
    rate_limited: 'Too many requests in too short a time: wait as many seconds as “Retry-After” says.',
    internal_error:
      'The service failed in a way that it did not foresee; this says nothing about the key or the code: try again later.',
    unavailable:
      'The service cannot find out the answer right now; this says nothing about the key or the code: try again after “Retry-After” seconds.',
  },
  issues: {
    required: 'is required',
    unknown: 'is not known here',
    type: 'has the wrong type',
    text: 'must be a string',
    well_formed: 'must be well-formed Unicode without U+0000',
    not_empty: 'must not be empty',
    boolean: 'must be true or false',
    list: 'must be a list',
    link: 'must be an absolute http(s) URL',
    timestamp: 'must be an ISO 8601 date and time with its offset, such as 2024-04-27T12:00:00Z',
    currency: 'must be the code of an ISO 4217 currency that has a minor unit, such as USD',
    amount: 'must be a number or a decimal string, such as 19.99',
    amount_negative: 'must not be negative',
    amount_decimals: 'has more decimals than its currency',
    amount_range: 'is larger than can be kept exactly',
    version: 'must be three numbers with dots between them, such as 1.4.2',
    item_id: 'must be a whole number from 1 to 9007199254740991',
    shape: 'must be base or extended',
    credential_length: 'must have at most 255 characters',
  },
} as const satisfies {
  general: Record<GeneralMessage, string>
  explanations: Record<ErrorCode, string>
  issues: Record<string, string>
}

/** The texts of one language. */
export type Messages = {
  readonly [Group in keyof typeof en]: { readonly [Key in keyof (typeof en)[Group]]: string }
}
