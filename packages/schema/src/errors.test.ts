import { describe, expect, test } from 'vitest'
import {
  type ErrorCode,
  errorCodes,
  errors,
  isErrorCode,
  operationErrors,
  operationList,
  urlTooLongStatus,
} from './index.ts'

type Row = readonly [
  status: number,
  codes: readonly ErrorCode[],
  message: (typeof errors)[ErrorCode]['message'],
]

/** The table of section 4 of the contract, written again. */
const contract: readonly Row[] = [
  [400, ['missing_parameter', 'invalid_parameter'], 'operation'],
  [400, ['conflicting_api_keys', 'malformed_body'], 'invalid_request'],
  [401, ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'revoked_api_key'], 'invalid_request'],
  [403, ['key_not_allowed'], 'invalid_request'],
  [404, ['no_items', 'item_not_found', 'purchase_not_found', 'purchase_not_active'], 'operation'],
  [413, ['body_too_large'], 'invalid_request'],
  [415, ['unsupported_media_type'], 'invalid_request'],
  [404, ['route_not_found'], 'not_found'],
  [405, ['method_not_allowed'], 'method_not_allowed'],
  [400, ['malformed_request'], 'invalid_request'],
  [408, ['request_timeout'], 'invalid_request'],
  [431, ['request_too_large'], 'invalid_request'],
  [417, ['expectation_failed'], 'invalid_request'],
  [429, ['rate_limited'], 'too_many_requests'],
  [500, ['internal_error'], 'internal_error'],
  [503, ['unavailable'], 'unavailable'],
]

describe('the error table', () => {
  test('is the one of the contract', () => {
    const rows = contract.flatMap(([status, codes, message]) =>
      codes.map((code) => [code, { status, message }]),
    )
    const table = errorCodes.map((code) => [
      code,
      { status: errors[code].status, message: errors[code].message },
    ])
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(rows))
    expect(rows).toHaveLength(errorCodes.length)
    expect(urlTooLongStatus).toBe(414)
  })

  test('is retryable only where the same request may succeed', () => {
    expect(errorCodes.filter((code) => errors[code].retryable)).toEqual([
      'request_timeout',
      'rate_limited',
      'internal_error',
      'unavailable',
    ])
  })

  test('is used by the operations, except for errors outside of them', () => {
    const used = new Set(operationList.flatMap(({ name }) => operationErrors(name)))
    expect(errorCodes.filter((code) => !used.has(code))).toEqual(['route_not_found'])
    for (const { name } of operationList)
      expect(new Set(operationErrors(name)).size).toBe(operationErrors(name).length)
  })

  test('knows its codes and no property of every object', () => {
    expect(errorCodes.every(isErrorCode)).toBe(true)
    for (const text of ['', 'constructor', 'toString', '__proto__', 'ITEM_NOT_FOUND'])
      expect(isErrorCode(text)).toBe(false)
  })
})
