import { expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import { createMockApi, type Fault } from '../src/testing/index.ts'

const clientOf = (mockApi: ReturnType<typeof createMockApi>, apiKey = mockApi.apiKey) =>
  createClient({
    baseUrl: mockApi.baseUrl,
    apiKey,
    fetch: mockApi.fetch,
    maxRetries: 0,
    timeoutMs: 50,
  })

it('responds to all four calls through the real transport', async () => {
  const mockApi = createMockApi()
  const client = clientOf(mockApi)
  const code = mockApi.sell(101, { price: '12.50', supported_until: '2030-01-01T00:00:00Z' })
  expect(await client.getAccount()).toMatchObject({ username: 'ada' })
  expect(await client.listItems()).toMatchObject([{ id: 101 }])
  expect(await client.getItem(101, { shape: 'extended' })).toMatchObject({ version: '1.0.0' })
  expect(await client.validatePurchase(code, { shape: 'base' })).toMatchObject({ price: 12.5 })
  expect(await client.validatePurchase(code, { shape: 'extended' })).toMatchObject({
    supported_until: '2030-01-01T00:00:00Z',
  })
  expect(mockApi.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/account/details',
    'GET /api/items/all',
    'GET /api/items/item',
    'POST /api/purchases/validation',
    'POST /api/purchases/validation',
  ])
})

it('knows no path by another method', async () => {
  const { apiKey, baseUrl, fetch } = createMockApi()
  const init = { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } }
  expect((await fetch(`${baseUrl}/api/items/all`, init)).headers.get('x-error-code')).toBe('route_not_found')
})

it('keeps state: refunds, revoked keys, new records', async () => {
  const mockApi = createMockApi()
  const client = clientOf(mockApi)
  const code = mockApi.sell(101)
  mockApi.setPurchaseState(code, 'refunded')
  expect(await client.checkPurchase(code)).toMatchObject({
    outcome: 'invalid',
    reason: 'purchase_not_active',
  })
  mockApi.setPurchaseState(code, 'active')
  expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  mockApi.load([
    { type: 'api_key', workspace: 'demo', key: 'publishable-key-0', publishable: true, items: [7] },
  ])
  const publishable = clientOf(mockApi, 'publishable-key-0')
  await expect(publishable.getAccount()).rejects.toMatchObject({ code: 'key_not_allowed', status: 403 })
  expect(await publishable.checkPurchase(code)).toMatchObject({
    outcome: 'invalid',
    reason: 'purchase_not_found',
  })
  mockApi.load([
    { type: 'api_key', workspace: 'demo', key: mockApi.apiKey, revoked_at: '2026-01-01T00:00:00Z' },
  ])
  expect(await client.checkPurchase(code)).toMatchObject({
    outcome: 'unknown',
    error: { code: 'revoked_api_key' },
  })
  expect(() => mockApi.setPurchaseState('none', 'active')).toThrow(TypeError)
  expect(() => mockApi.setPurchaseState(code, 'gone' as 'revoked')).toThrow(TypeError)
  expect(() => mockApi.sell(999)).toThrow(TypeError)
})

const faults: [Fault, object][] = [
  ['hang', { kind: 'timeout' }],
  ['refused', { kind: 'connection', code: 'ECONNREFUSED' }],
  ['dns', { kind: 'connection', code: 'ENOTFOUND' }],
  ['tls', { kind: 'connection', code: 'CERT_HAS_EXPIRED' }],
  ['reset', { kind: 'connection', code: 'ECONNRESET' }],
  ['cut', { kind: 'invalid_response', code: undefined }],
  ['html', { kind: 'invalid_response', code: undefined }],
  ['empty', { kind: 'invalid_response', code: undefined }],
  ['redirect', { kind: 'invalid_response', code: 'redirected' }],
  ['endless', { kind: 'invalid_response', code: 'too_large' }],
  [
    { status: 503, headers: { 'retry-after': '9' }, body: { status: 'error', msg: 'x' } },
    { kind: 'server', retryAfterMs: 9_000 },
  ],
  [{ status: 500 }, { kind: 'server' }],
]

it.each(faults)('simulates the fault %o, once', async (fault, error) => {
  const mockApi = createMockApi()
  const code = mockApi.sell(101)
  mockApi.fail(fault, 1)
  expect(await clientOf(mockApi).checkPurchase(code)).toMatchObject({ outcome: 'unknown', error })
  expect(await clientOf(mockApi).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
})

it('fails until it recovers, so that no retry hides an outage', async () => {
  const mockApi = createMockApi()
  const { baseUrl, apiKey, fetch } = mockApi
  const client = createClient({ baseUrl, apiKey, fetch })
  const code = mockApi.sell(101)
  mockApi.fail('refused')
  expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'unknown' })
  expect(mockApi.requests).toHaveLength(3)
  mockApi.recover()
  expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  mockApi.fail('refused', 1)
  expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  expect(mockApi.requests).toHaveLength(6)
})

it('queues faults', async () => {
  const mockApi = createMockApi()
  const client = clientOf(mockApi)
  mockApi.fail('html', 2)
  mockApi.fail('refused', 1)
  const kinds = []
  for (let call = 0; call < 4; call += 1) {
    kinds.push(
      await client.getAccount().then(
        () => 'account',
        (error) => error.kind,
      ),
    )
  }
  expect(kinds).toEqual(['invalid_response', 'invalid_response', 'connection', 'account'])
})

it('rejects a fault that does not exist', () => {
  for (const fault of ['timeout', '429', 429, undefined, 'toString']) {
    const wrong: unknown = fault
    expect(() => createMockApi().fail(wrong as Fault)).toThrow('{ status }, hang, redirect, refused')
  }
})
