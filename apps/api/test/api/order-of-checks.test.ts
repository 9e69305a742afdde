import { type ErrorCode, operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sent } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import {
  codes,
  expiredKey,
  otherKey,
  publishableKey,
  records,
  revokedKey,
  secretKey,
} from '../support/records.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

type Faults = ReadonlySet<ErrorCode>

/** The key that a request carries, by the fault that it has. */
function keyOf(faults: Faults): string {
  if (faults.has('invalid_api_key')) return 'sp_no_such_key_at_all'
  if (faults.has('expired_api_key')) return expiredKey
  if (faults.has('revoked_api_key')) return revokedKey
  return faults.has('key_not_allowed') ? publishableKey : secretKey
}

const headersOf = (faults: Faults) => (faults.has('missing_api_key') ? {} : { 'x-api-key': keyOf(faults) })
const conflict = (faults: Faults) => (faults.has('conflicting_api_keys') ? `api_key=${otherKey}` : '')

function validation(faults: Faults): Sent {
  const purchase_code = faults.has('purchase_not_found') ? 'ZZZZ-0000' : codes.active
  const json = JSON.stringify({ purchase_code, ...(faults.has('invalid_parameter') && { shape: 'x' }) })
  const text = faults.has('malformed_body') ? `${json}}` : json
  return {
    method: faults.has('method_not_allowed') ? 'PUT' : 'POST',
    path: `${operations.validatePurchase.path}${faults.has('route_not_found') ? 'x' : ''}?${conflict(faults)}`,
    headers: {
      ...headersOf(faults),
      'content-type': faults.has('unsupported_media_type') ? 'text/plain' : 'application/json',
    },
    body: faults.has('body_too_large') ? text + ' '.repeat(17_000) : text,
  }
}

function item(faults: Faults): Sent {
  const id = faults.has('item_not_found') ? 5 : 101
  const parameter = faults.has('missing_parameter') ? '' : `item_id=${id}`
  return {
    method: faults.has('method_not_allowed') ? 'POST' : 'GET',
    path: `${operations.getItem.path}${faults.has('route_not_found') ? 'x' : ''}?${conflict(faults)}&${parameter}&${faults.has('invalid_parameter') ? 'shape=x' : ''}`,
    headers: headersOf(faults),
  }
}

/** Each fault by itself, and each with every later one: the first answers. Faults of one line cannot come together. */
function pairs(order: readonly (readonly ErrorCode[])[]): [ErrorCode, ErrorCode][] {
  return order.flatMap((group, index) =>
    group.flatMap((first) => [
      [first, first] as [ErrorCode, ErrorCode],
      ...order
        .slice(index + 1)
        .flatMap((later) => later.map((other) => [first, other] as [ErrorCode, ErrorCode])),
    ]),
  )
}

const keys = ['invalid_api_key', 'expired_api_key', 'revoked_api_key'] as const

describe('validation', () => {
  const order = [
    ['route_not_found'],
    ['method_not_allowed'],
    ['body_too_large'],
    ['unsupported_media_type'],
    ['malformed_body'],
    ['conflicting_api_keys'],
    keys,
    ['invalid_parameter'],
    ['purchase_not_found'],
  ] as const
  test.each(pairs(order))('%s comes before %s', async (first, other) => {
    const { headers } = await service.request(validation(new Set([first, other])))
    expect(headers['x-error-code']).toBe(first)
  })

  test.each(['route_not_found', 'method_not_allowed', 'malformed_body'] as const)(
    '%s comes before missing_api_key',
    async (first) => {
      const { headers } = await service.request(validation(new Set([first, 'missing_api_key'])))
      expect(headers['x-error-code']).toBe(first)
    },
  )

  test.each(['invalid_parameter', 'purchase_not_found'] as const)(
    'missing_api_key comes before %s',
    async (other) => {
      const { headers } = await service.request(validation(new Set(['missing_api_key', other])))
      expect(headers['x-error-code']).toBe('missing_api_key')
    },
  )
})

describe('an item', () => {
  const order = [
    ['route_not_found'],
    ['method_not_allowed'],
    ['conflicting_api_keys'],
    ['missing_api_key', ...keys],
    ['key_not_allowed'],
    ['invalid_parameter', 'missing_parameter'],
    ['item_not_found'],
  ] as const
  /** A request has one key, and one id. */
  const impossible = new Set([
    ...['missing_api_key', ...keys].map((key) => `${key} key_not_allowed`),
    'conflicting_api_keys missing_api_key',
    'missing_parameter item_not_found',
  ])
  const possible = pairs(order).filter((pair) => !impossible.has(pair.join(' ')))
  test.each(possible)('%s comes before %s', async (first, other) => {
    const { headers } = await service.request(item(new Set([first, other])))
    expect(headers['x-error-code']).toBe(first)
  })
})
