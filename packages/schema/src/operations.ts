import type { Locale } from './constants.ts'
import type { ErrorCode } from './errors.ts'
import { type OperationName, type ParameterName, type Route, routes } from './routes.ts'

/** An operation of the API as data: the routes of the service, the documents and the client are made from it. */
export interface Operation extends Route {
  name: OperationName
  method: 'GET' | 'POST'
  /** The parameters that it needs beside `api_key`. `shape` and `api_key` are known to every operation. */
  required: readonly Exclude<ParameterName, 'api_key' | 'shape' | 'pass'>[]
  /** Whether a success carries a pass where the request asks for one. */
  passes?: true
  /** What it does, in a few words. */
  summary: string
  /** What it gives. */
  description: string
  /** Whether a publishable key may use it. */
  publishable: boolean
  /** The `msg` of its own failures. */
  message: Readonly<Record<Locale, string>>
  /** Its own errors; those of every operation are in `commonErrors`. */
  errors: readonly ErrorCode[]
}

/** The errors that every operation can have. */
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
 * The operations, in the order of the contract.
 *
 * @example
 * operations.validatePurchase.path // '/api/purchases/validation'
 */
export const operations = {
  getAccount: {
    name: 'getAccount',
    ...routes.getAccount,
    method: 'GET',
    required: [],
    summary: 'Read the account',
    description: 'The seller who owns the workspace of the key. The same in both shapes.',
    publishable: false,
    message: { en: 'Invalid request', pt: 'Invalid request' },
    errors: ['key_not_allowed'],
  },
  listItems: {
    name: 'listItems',
    ...routes.listItems,
    method: 'GET',
    required: [],
    summary: 'List the items',
    description: 'All items of the workspace, newest first.',
    publishable: false,
    message: { en: 'No items found', pt: 'Nenhum item encontrado' },
    errors: ['key_not_allowed', 'no_items'],
  },
  getItem: {
    name: 'getItem',
    ...routes.getItem,
    method: 'GET',
    required: ['item_id'],
    summary: 'Read an item',
    description: 'One item by its ID.',
    publishable: false,
    // The contract has the English text in both languages.
    message: { en: 'Item Not Found', pt: 'Item Not Found' },
    errors: ['key_not_allowed', 'missing_parameter', 'item_not_found'],
  },
  validatePurchase: {
    name: 'validatePurchase',
    ...routes.validatePurchase,
    method: 'POST',
    required: ['purchase_code'],
    passes: true,
    summary: 'Validate a purchase code',
    description:
      'The purchase that the code proves. Only active purchases validate: one that was refunded or revoked is a 404.',
    publishable: true,
    message: { en: 'Invalid purchase code', pt: 'Código de compra inválido' },
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

/** The operations as a list, in the order of the contract. */
export const operationList: readonly Operation[] = Object.values(operations)

/**
 * Every error that an operation can have.
 *
 * @example
 * operationErrors('getItem').includes('item_not_found') // true
 */
export const operationErrors = (name: OperationName): readonly ErrorCode[] => [
  ...commonErrors,
  ...operations[name].errors,
]
