import type { ErrorCode } from './errors.ts'

/** The name of an operation. Everything else about an operation is found by it. */
export type OperationName = 'getAccount' | 'listItems' | 'getItem' | 'validatePurchase'

/** The name of a parameter. */
export type ParameterName = 'api_key' | 'item_id' | 'purchase_code' | 'shape'

/** An operation of the API, as data: routes, documents and the client are made from it. */
export interface Operation {
  name: OperationName
  method: 'GET' | 'POST'
  path: string
  /** What it does, in a sentence. */
  summary: string
  /** The parameters that it needs beside `api_key`. `shape` and `api_key` are known to every operation. */
  required: readonly Exclude<ParameterName, 'api_key' | 'shape'>[]
  /** Whether a publishable key may use it. */
  publishable: boolean
  /** The failures of its own; those that every operation has are in `commonErrors`. */
  errors: readonly ErrorCode[]
}

/** Failures that each of the four operations can answer with. */
export const commonErrors = [
  'invalid_parameter',
  'conflicting_api_keys',
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'method_not_allowed',
  'malformed_request',
  'request_timeout',
  'request_too_large',
  'expectation_failed',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/**
 * The four operations, in the order of the contract.
 *
 * @example
 * operations.validatePurchase.path // '/api/purchases/validation'
 */
export const operations = {
  getAccount: {
    name: 'getAccount',
    method: 'GET',
    path: '/api/account/details',
    summary: 'Read the account that owns the key.',
    required: [],
    publishable: false,
    errors: ['key_not_allowed'],
  },
  listItems: {
    name: 'listItems',
    method: 'GET',
    path: '/api/items/all',
    summary: 'List all items of the workspace, newest first.',
    required: [],
    publishable: false,
    errors: ['key_not_allowed', 'no_items'],
  },
  getItem: {
    name: 'getItem',
    method: 'GET',
    path: '/api/items/item',
    summary: 'Read one item by its id.',
    required: ['item_id'],
    publishable: false,
    errors: ['key_not_allowed', 'missing_parameter', 'item_not_found'],
  },
  validatePurchase: {
    name: 'validatePurchase',
    method: 'POST',
    path: '/api/purchases/validation',
    summary: 'Validate a purchase code and read the purchase that it belongs to.',
    required: ['purchase_code'],
    publishable: true,
    errors: [
      'missing_parameter',
      'malformed_body',
      'body_too_large',
      'unsupported_media_type',
      'purchase_not_found',
      'purchase_not_active',
    ],
  },
} as const satisfies { [Name in OperationName]: Operation & { name: Name } }

/** The four operations as a list, in the order of the contract. */
export const operationList: readonly Operation[] = Object.values(operations)

/**
 * Every failure that an operation can answer with.
 *
 * @example
 * errorsOf('getItem').includes('item_not_found') // true
 */
export const errorsOf = (name: OperationName): readonly ErrorCode[] => [
  ...commonErrors,
  ...operations[name].errors,
]
