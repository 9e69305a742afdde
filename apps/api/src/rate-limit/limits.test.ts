import { type ErrorCode, errorCodes } from '@saleproof/schema'
import { describe, expect, test } from 'vitest'
import { createLocalBudget } from './budget.ts'
import { createLimits, type LimitResult } from './limits.ts'

function setUp(limits: { rate?: number; failures?: number; keyFailures?: number }) {
  const clock = { now: 1_000_000 }
  const now = () => clock.now
  const limit = (count: number | undefined) => (count === undefined ? undefined : { count, seconds: 60 })
  const made = createLimits({
    limits: {
      requests: limit(limits.rate),
      failures: limit(limits.failures),
      'key-failures': limit(limits.keyFailures),
      'sign-ins': undefined,
    },
    budget: (_kind, given) => createLocalBudget({ limit: given, now }),
    now,
    knownCodes: { note() {}, has: async () => false },
  })
  return {
    clock,
    policy: made.policy,
    request: (key: string, address: string) => made.request(key, address) as LimitResult | undefined,
    failure: (code: ErrorCode, key: string | undefined, address: string) =>
      made.failure(
        code,
        key === undefined ? undefined : { keyId: key, publishable: false },
        address,
        undefined,
      ) as LimitResult | undefined,
  }
}

const guesses = ['invalid_api_key', 'item_not_found', 'purchase_not_found'] as const

describe('limits', () => {
  test('report what is left and for how long, in whole seconds rounded up', () => {
    const { clock, policy, request } = setUp({ rate: 2 })
    expect(policy).toBe('"requests";q=2;w=60')
    expect(request('k', '192.0.2.1')).toMatchObject({
      allowed: true,
      header: '"requests";r=1;t=60',
      retryAfter: 60,
    })
    clock.now += 1
    expect(request('k', '192.0.2.1')).toMatchObject({
      allowed: true,
      header: '"requests";r=0;t=60',
      retryAfter: 60,
    })
    clock.now += 58_999
    expect(request('k', '192.0.2.1')).toMatchObject({
      allowed: false,
      header: '"requests";r=0;t=1',
      retryAfter: 1,
    })
    clock.now += 999
    expect(request('k', '192.0.2.1')?.retryAfter).toBe(1)
    clock.now += 1
    expect(request('k', '192.0.2.1')?.allowed).toBe(true)
  })

  test('of requests are for a key and an address together', () => {
    const { request } = setUp({ rate: 1 })
    const allowed = (key: string, address: string) => request(key, address)!.allowed
    expect([allowed('k', '192.0.2.1'), allowed('k', '192.0.2.2'), allowed('l', '192.0.2.1')]).toEqual([
      true,
      true,
      true,
    ])
    expect([allowed('k', '192.0.2.1'), allowed('k', '192.0.2.2'), allowed('l', '192.0.2.1')]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('of failures are for the address of an unknown key, and for key and address of what was not found', () => {
    const { failure } = setUp({ failures: 1 })
    const allowed = (code: ErrorCode, key: string | undefined, address: string) =>
      failure(code, key, address)!.allowed
    expect(allowed('invalid_api_key', undefined, '192.0.2.1')).toBe(true)
    expect(allowed('invalid_api_key', undefined, '192.0.2.1')).toBe(false)
    expect(allowed('invalid_api_key', undefined, '192.0.2.2')).toBe(true)
    expect(allowed('purchase_not_found', 'k', '192.0.2.1')).toBe(true)
    expect(allowed('item_not_found', 'k', '192.0.2.1')).toBe(false)
    expect(allowed('item_not_found', 'l', '192.0.2.1')).toBe(true)
    expect(allowed('purchase_not_found', 'k', '192.0.2.2')).toBe(true)
  })

  test('of failures ignore errors that guessing does not cause', () => {
    const { failure } = setUp({ failures: 1 })
    for (const code of errorCodes)
      expect(failure(code, 'k', '192.0.2.1') !== undefined, code).toBe(
        guesses.includes(code as 'item_not_found'),
      )
  })

  test('of failures of a key cover all addresses, and are named in the headers', () => {
    const { failure } = setUp({ failures: 2, keyFailures: 3 })
    const miss = (address: string, key = 'k') => failure('purchase_not_found', key, address)!
    expect(miss('192.0.2.1').header).toBe('"key-failures";r=2;t=60')
    expect(miss('192.0.2.2').header).toBe('"key-failures";r=1;t=60')
    expect(miss('192.0.2.2').allowed).toBe(true)
    expect(miss('192.0.2.3')).toMatchObject({
      allowed: false,
      policy: '"key-failures";q=3;w=60',
      header: '"key-failures";r=0;t=60',
    })
    // Past its own limit an address takes nothing from what the others have.
    expect(miss('192.0.2.2')).toMatchObject({ allowed: false, policy: '"failures";q=2;w=60' })
    expect(miss('192.0.2.3', 'another').allowed).toBe(true)
    for (const index of [1, 2, 3, 4, 5])
      expect(failure('invalid_api_key', undefined, `192.0.2.${index + 10}`)?.allowed).toBe(true)
  })

  test('of failures of a key hold alone', () => {
    const { failure } = setUp({ keyFailures: 1 })
    expect(failure('item_not_found', 'k', '192.0.2.1')?.allowed).toBe(true)
    expect(failure('item_not_found', 'k', '192.0.2.2')?.allowed).toBe(false)
    expect(failure('invalid_api_key', undefined, '192.0.2.2')).toBeUndefined()
  })

  test.each([{ failures: 2 }, { keyFailures: 2 }])(
    'a failure over its limit is not counted as a request: %o',
    (limits) => {
      const { request, failure } = setUp({ rate: 3, ...limits })
      for (let count = 0; count < 50; count++) {
        expect(request('k', '192.0.2.1')?.allowed).toBe(true)
        expect(failure('purchase_not_found', 'k', '192.0.2.1')?.allowed).toBe(count < 2)
      }
      expect(request('k', '192.0.2.1')).toMatchObject({ allowed: true, header: '"requests";r=0;t=60' })
      expect(request('k', '192.0.2.1')?.allowed).toBe(false)
    },
  )

  test('of the two kinds do not count each other', () => {
    const { request, failure } = setUp({ rate: 1, failures: 1 })
    expect(failure('item_not_found', 'k', '192.0.2.1')?.allowed).toBe(true)
    expect(request('k', '192.0.2.1')?.allowed).toBe(true)
    expect(failure('item_not_found', 'k', '192.0.2.1')?.header).toBe('"failures";r=0;t=60')
  })

  test('that are off have no headers', () => {
    const { policy, request, failure } = setUp({})
    expect([policy, request('k', '192.0.2.1'), failure('invalid_api_key', undefined, '192.0.2.1')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
