import { expect, it } from 'vitest'
import { createGate, type GateOptions } from '../src/gate/index.ts'
import { createGuard, type GuardOptions } from '../src/guard.ts'
import { createClient } from '../src/index.ts'
import { expressGuard, type NodeGuardOptions } from '../src/node/index.ts'
import { createMockApi } from '../src/testing/index.ts'

function setup(options: Partial<GuardOptions> = {}, onUnknown: GateOptions['onUnknown'] = 'deny') {
  let time = Date.now()
  const mockApi = createMockApi()
  const client = createClient({
    baseUrl: mockApi.baseUrl,
    apiKey: mockApi.apiKey,
    fetch: mockApi.fetch,
    maxRetries: 0,
  })
  const gate = createGate({ client, now: () => time, onUnknown })
  const guard = createGuard({ gate, ...options })
  return {
    mockApi,
    gate,
    guard,
    code: mockApi.sell(101),
    outage() {
      time += 3_600_000
      mockApi.fail('refused', Number.POSITIVE_INFINITY)
    },
  }
}

const request = (code?: string) =>
  new Request('https://product.example.com/download', {
    headers: code === undefined ? {} : { 'X-Purchase-Code': code },
  })

it('allows a valid code', async () => {
  const { guard, code } = setup({ itemId: 101 })
  expect(await guard(request(code))).toMatchObject({
    allowed: true,
    source: 'api',
    purchase: { item: { id: 101 } },
  })
})

it('denies with a response that has the reason', async () => {
  const { guard, code, mockApi } = setup({ itemId: 102 })
  const decisions = {
    missing_code: request(),
    wrong_item: request(code),
    purchase_not_found: request('never-sold-0'),
  }
  for (const [reason, of] of Object.entries(decisions)) {
    const decision = await guard(of)
    const status = reason === 'missing_code' ? 401 : 403
    expect(decision).toMatchObject({ allowed: false, reason, status })
    if (decision.allowed) expect.unreachable()
    const response = decision.response()
    expect([response.status, await response.json()]).toEqual([status, { error: reason }])
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  mockApi.fail('html', 1)
  expect(await guard(request('another'))).toMatchObject({ allowed: false, status: 503, reason: 'unknown' })
})

it('denies in an outage, or allows cached codes, by the option onUnknown of its gate alone', async () => {
  const deny = setup()
  await deny.guard(request(deny.code))
  deny.outage()
  expect(await deny.guard(request(deny.code))).toMatchObject({ allowed: false, status: 503 })

  const allow = setup({}, { allowCachedMs: 7_200_000 })
  await allow.guard(request(allow.code))
  allow.outage()
  expect(await allow.guard(request(allow.code))).toMatchObject({ allowed: true, source: 'grace' })
  expect(await allow.guard(request(allow.mockApi.sell(101)))).toMatchObject({ allowed: false, status: 503 })
})

it('reads the code with the option readCode', async () => {
  const { guard, code } = setup({ readCode: async (from) => new URL(from.url).hash.slice(1) })
  expect(await guard(new Request(`https://product.example.com/#${code}`))).toMatchObject({ allowed: true })
  expect(await guard(request(code))).toMatchObject({ allowed: false, reason: 'missing_code' })
})

it('rejects an undefined item id', () => {
  const { gate } = setup()
  expect(() => createGuard({ gate, itemId: undefined } as unknown as GuardOptions)).toThrow(
    expect.objectContaining({ kind: 'configuration' }),
  )
})

it('rejects an option that it does not know: a misspelled item id would let every item in', () => {
  const { gate } = setup()
  for (const [name, options] of Object.entries({
    itemID: { gate, itemID: 101 },
    onUnknown: { gate, onUnknown: 'allow' },
    check: gate,
  })) {
    const wrong: unknown = options
    const message = expect.stringContaining(`\`${name}\``)
    const rejected = expect.objectContaining({ kind: 'configuration', message })
    expect(() => createGuard(wrong as GuardOptions)).toThrow(rejected)
    expect(() => expressGuard(wrong as NodeGuardOptions)).toThrow(rejected)
  }
})
