import { expect, it } from 'vitest'
import { createGate, type GateOptions } from '../src/gate/index.ts'
import { createGuard, type GuardOptions } from '../src/guard.ts'
import { createClient } from '../src/index.ts'
import { explain } from '../src/messages.ts'
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

it('denies with a response that has the reason, which can be explained', async () => {
  const { guard, code, mockApi } = setup({ itemId: 102 })
  const refunded = mockApi.sell(101)
  mockApi.setPurchaseState(refunded, 'refunded')
  const decisions = {
    missing_code: request(),
    malformed_code: request('x'.repeat(256)),
    wrong_item: request(code),
    purchase_not_found: request('never-sold-0'),
    purchase_not_active: request(refunded),
  }
  const sentences = new Set<string>()
  for (const [reason, of] of Object.entries(decisions)) {
    const decision = await guard(of)
    const status = reason === 'missing_code' ? 401 : 403
    expect(decision).toMatchObject({ allowed: false, reason, status })
    if (decision.allowed) expect.unreachable()
    const response = decision.response()
    expect([response.status, await response.json()]).toEqual([status, { error: reason }])
    expect(response.headers.get('cache-control')).toBe('no-store')
    for (const locale of ['en', 'pt'] as const) sentences.add(explain(decision, locale))
  }
  mockApi.fail('html', 1)
  const unknown = await guard(request('another'))
  expect(unknown).toMatchObject({ allowed: false, status: 503, reason: 'unknown' })
  if (unknown.allowed) expect.unreachable()
  expect(explain(unknown)).toMatch(/^The response is not/)
  for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.{10,}\.$/u)
  expect(sentences.size).toBe(10)
})

it('asks to wait as long as the API asked, or else 30 seconds', async () => {
  for (const [headers, expected] of [
    [{ 'retry-after': '7' }, '7'],
    [{}, '30'],
  ] as const) {
    const { guard, code, mockApi } = setup()
    mockApi.fail({ status: 503, headers })
    // Of the request, and of the outage that it began.
    for (const source of ['api', 'cache']) {
      const decision = await guard(request(code))
      if (decision.allowed) expect.unreachable()
      expect(decision.source).toBe(source)
      expect(decision.response().headers.get('retry-after')).toBe(expected)
    }
  }
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

it('takes what no text is for a malformed code', async () => {
  for (const wrong of [7, ['a code'], new File([], 'code'), { code: 1 }]) {
    const { guard } = setup({ readCode: () => wrong })
    expect(await guard(request())).toMatchObject({ status: 403, reason: 'malformed_code', source: 'local' })
  }
})

it('takes an item id out of a variable, and rejects one that is undefined', async () => {
  const { gate, code } = setup()
  const decide = (itemId: string) => createGuard({ gate, itemId })(request(code))
  expect([(await decide('101')).allowed, (await decide('102')).allowed]).toEqual([true, false])
  expect(() => createGuard({ gate, itemId: undefined })).toThrow(
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
