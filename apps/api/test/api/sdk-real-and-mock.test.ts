import { operationList, operationSchemas } from '@saleproof/schema'
import { type ClientOptions, createClient, type Fetch } from '@saleproof/sdk'
import { createGate } from '@saleproof/sdk/gate'
import { createMockApi, type ItemRecord, type MockRecord } from '@saleproof/sdk/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/harness.ts'
import * as keys from '../support/records.ts'

// One suite against the service and against the mock API that the SDK brings for tests: a test with the mock API tests the service.

const { codes, records } = keys
const mockApi = createMockApi({ records: records as readonly MockRecord[] })

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const worlds: Record<string, () => { baseUrl: string; fetch: Fetch }> = {
  'the service': () => ({ baseUrl: service.url, fetch: (url, init) => fetch(url, init) }),
  'the mock API': () => ({ baseUrl: mockApi.baseUrl, fetch: mockApi.fetch }),
}

describe.each(Object.entries(worlds))('the SDK with %s', (_, world) => {
  const client = <S extends 'base' | 'extended' = 'base' | 'extended'>(
    options: Partial<ClientOptions<S>> = {},
  ) => createClient<S>({ ...world(), apiKey: keys.secretKey, ...options })

  test('makes the four calls in both shapes', async () => {
    for (const shape of ['base', 'extended'] as const) {
      const { getAccount, listItems, getItem, validatePurchase } = client({
        shape,
        validate: operationSchemas[shape],
      })
      expect((await getAccount()).username).toBe('ada')
      expect((await listItems()).map(({ id }) => id)).toEqual([9007199254740991, 102, 101])
      expect('version' in (await getItem(101))).toBe(shape === 'extended')
      expect('price' in (await validatePurchase(codes.video))).toBe(shape === 'base')
    }
    expect((await client({ shape: 'base' }).validatePurchase(codes.audio)).price).toBe(0.001)
  })

  test('lets the workspace decide about shape and language', async () => {
    const { validatePurchase, checkPurchase } = client({ apiKey: keys.portugueseKey })
    expect(await checkPurchase(codes.portuguese, { itemId: 301 })).toMatchObject({
      outcome: 'valid',
      purchase: { item: { version: '1.4.2' } },
    })
    await expect(validatePurchase('never-sold')).rejects.toMatchObject({
      kind: 'not_found',
      code: 'purchase_not_found',
    })
  })

  test('distinguishes valid, invalid and unknown', async () => {
    const { checkPurchase } = client()
    expect(await checkPurchase(codes.active, { itemId: 101 })).toMatchObject({ outcome: 'valid' })
    expect(await checkPurchase(`\u200b${codes.active.replaceAll('-', '\u2013')} `)).toMatchObject({
      outcome: 'valid',
      purchase: { purchase_code: codes.active },
    })
    expect(await checkPurchase(codes.active, { itemId: 102 })).toMatchObject({ reason: 'wrong_item' })
    for (const code of [codes.refunded, codes.revoked]) {
      expect(await checkPurchase(code)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_active' })
    }
    for (const code of [codes.others, 'never-sold', 'x'.repeat(255), codes.active.toLowerCase()]) {
      expect(await checkPurchase(code)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_found' })
    }
    const wrongKeys = {
      expired_api_key: keys.expiredKey,
      revoked_api_key: keys.revokedKey,
      invalid_api_key: 'sp_no_such_key_0123456789',
    }
    for (const [code, apiKey] of Object.entries(wrongKeys)) {
      expect(await client({ apiKey }).checkPurchase(codes.active)).toMatchObject({
        outcome: 'unknown',
        error: { kind: 'authentication', code, status: 401 },
      })
    }
  })

  test('leaves out withdrawn items, whose purchases still validate', async () => {
    const video = records.find((record) => 'id' in record && record.id === 102) as ItemRecord
    const load = async (withdrawn_at: string | null) => {
      await service.load([{ ...video, withdrawn_at }])
      mockApi.load([{ ...video, withdrawn_at }])
    }
    const { listItems, getItem, checkPurchase } = client()
    await load('2026-01-31T08:00:00Z')
    expect((await listItems()).map(({ id }) => id)).toEqual([9007199254740991, 101])
    await expect(getItem(102)).rejects.toMatchObject({ code: 'item_not_found' })
    expect(await checkPurchase(codes.video, { itemId: 102 })).toMatchObject({ outcome: 'valid' })
    await load(null)
    expect((await getItem(102)).id).toBe(102)
  })

  test('throws typed errors with a request id', async () => {
    const request = { requestId: expect.stringMatching(/^\w+$/) }
    await expect(client().getItem(201)).rejects.toMatchObject({
      kind: 'not_found',
      code: 'item_not_found',
      ...request,
    })
    await expect(client({ apiKey: keys.emptyKey }).listItems()).rejects.toMatchObject({ code: 'no_items' })
    await expect(client({ apiKey: keys.publishableKey }).getAccount()).rejects.toMatchObject({
      kind: 'authentication',
      code: 'key_not_allowed',
      status: 403,
    })
  })

  test('takes a publishable key for validation alone, and only of its items', async () => {
    expect(await client({ apiKey: keys.boundKey }).checkPurchase(codes.active)).toMatchObject({
      outcome: 'valid',
    })
    expect(await client({ apiKey: keys.boundKey }).checkPurchase(codes.video)).toMatchObject({
      reason: 'purchase_not_found',
    })
    expect(await client({ apiKey: keys.publishableKey }).checkPurchase(codes.video)).toMatchObject({
      outcome: 'valid',
    })
  })

  test('works with the key as a parameter', async () => {
    const { getItem, checkPurchase } = client({ keyPlacement: 'parameter' })
    expect((await getItem(101)).id).toBe(101)
    expect(await checkPurchase(codes.active)).toMatchObject({ outcome: 'valid' })
  })

  test('works behind a gate', async () => {
    const gate = createGate({ client: client(), onUnknown: 'deny' })
    const checks = await Promise.all(
      Array.from({ length: 20 }, () => gate.check(codes.active, { itemId: 101 })),
    )
    expect(checks).toHaveLength(20)
    // Who comes after the response of the shared request has it from the cache.
    for (const { outcome, source } of checks)
      expect([outcome, /^(api|cache)$/.test(source)]).toEqual(['valid', true])
    expect(checks.map(({ source }) => source)).toContain('api')
    expect(await gate.check(codes.active)).toMatchObject({ outcome: 'valid', source: 'cache' })
  })
})

test.each(operationList)(
  'the mock API gives the client what the service does: $name',
  async ({ name, method, path }) => {
    const apiKeys = [
      keys.secretKey,
      keys.otherKey,
      keys.emptyKey,
      keys.portugueseKey,
      keys.publishableKey,
      keys.boundKey,
      keys.expiredKey,
      keys.revokedKey,
      'sp_no_such_key_0123456789',
    ]
    const asked: Record<string, string[]> = {
      getAccount: [''],
      listItems: [''],
      getItem: ['101', '102', '301', '9007199254740991', '5'].map((id) => `item_id=${id}`),
      validatePurchase: ['never-sold', ...Object.values(codes)].map((code) => `purchase_code=${code}`),
    }
    // A success whole, of a failure what the client reads.
    const read = async (response: Response) => ({
      status: response.status,
      code: response.headers.get('x-error-code'),
      text: response.ok && (await response.text()),
    })
    for (const apiKey of apiKeys) {
      for (const argument of asked[name]!) {
        for (const shape of ['', 'shape=base', 'shape=extended']) {
          const query = [argument, shape].filter(Boolean).join('&')
          const headers = {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/x-www-form-urlencoded',
          }
          const init: RequestInit = method === 'POST' ? { method, headers, body: query } : { method, headers }
          const address = method === 'GET' && query ? `${path}?${query}` : path
          const real = await read(await fetch(service.url + address, init))
          const mocked = await read(await mockApi.fetch(mockApi.baseUrl + address, init))
          expect({ ...mocked, apiKey, query }).toEqual({ ...real, apiKey, query })
        }
      }
    }
  },
)
