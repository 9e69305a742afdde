import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { GateStore } from '../src/gate/gate-store.ts'
import { createGate, type GateOptions } from '../src/gate/index.ts'
import { type ClientOptions, createClient } from '../src/index.ts'
import { createMockApi } from '../src/testing/index.ts'
import { createMemoryStore } from './memory-store.ts'
import { bodies, purchaseBase } from './records.ts'
import { type Reply, serve } from './server.ts'

// No check waits for an outage.

const minute = 60_000
const hour = 60 * minute
const onUnknown = { allowCachedMs: 72 * hour }

function setup(options: Partial<GateOptions> = {}, clientOptions: Partial<ClientOptions> = {}) {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const mockApi = createMockApi()
  const { apiKey, baseUrl, fetch } = mockApi
  const connect = (more: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, apiKey, fetch, maxRetries: 0, timeoutMs: 300, ...clientOptions, ...more })
  const open = (more: Partial<GateOptions> = {}) =>
    createGate({ client: connect(), now: () => time, onUnknown, ...options, ...more })
  const pass = (ms: number) => {
    time += ms
  }
  const codes = Array.from({ length: 20 }, () => mockApi.sell(101))
  return { mockApi, connect, open, gate: open(), pass, codes, code: codes[0] ?? '' }
}

const purchaseOf = (code: string | undefined) => ({
  ...bodies.purchase,
  data: { purchase: { ...purchaseBase, purchase_code: String(code) } },
})

it('answers known codes at once after one failure, while one request tries whether the API is back', {
  timeout: 60_000,
}, async () => {
  let isDown = false
  await using server = await serve(({ form }) => (isDown ? 'hang' : { body: purchaseOf(form.purchase_code) }))
  const gate = createGate({ client: server.client({ timeoutMs: 1_900 }), ttlMs: 1, onUnknown })
  const codes = Array.from({ length: 100 }, (_, number) => `code-${number}`)
  const checks = await Promise.all(codes.map((code) => gate.check(code)))
  expect(checks.filter(({ outcome }) => outcome === 'valid')).toHaveLength(codes.length)
  await pause(5)
  isDown = true
  expect(await gate.check('code-0')).toMatchObject({ outcome: 'valid', source: 'grace' })
  await pause(1_001)
  const before = server.received.length
  const durations: number[] = []
  for (const code of codes) {
    const start = performance.now()
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
    durations.push(performance.now() - start)
  }
  // A busy machine may stop any one of them for a while; none waits for the request, which takes 1.9 s.
  expect(durations.toSorted((a, b) => a - b)[50]).toBeLessThan(50)
  expect(Math.max(...durations)).toBeLessThan(1_800)
  await expect.poll(() => server.received.length - before).toBe(1)
  isDown = false
  await expect.poll(() => gate.check('code-1')).toMatchObject({ source: 'api' })
})

it('sends one request for 50 checks inside Retry-After, of any codes', async () => {
  const { gate, mockApi, codes, pass } = setup()
  for (const code of codes) await gate.check(code)
  pass(hour)
  mockApi.fail({ status: 429, headers: { 'retry-after': '60' } }, Number.POSITIVE_INFINITY)
  const before = mockApi.requests.length
  for (let count = 0; count < 50; count += 1) {
    const known = codes[count]
    const check = await gate.check(known ?? `code-${count}`)
    expect(check).toMatchObject(
      known ? { source: 'grace' } : { outcome: 'unknown', source: 'cache', error: { kind: 'rate_limited' } },
    )
    pass(1_000)
  }
  expect(mockApi.requests.length - before).toBe(1)
  pass(10_000)
  await gate.check('one more')
  expect(mockApi.requests.length - before).toBe(2)
})

it('runs at most ten requests for 500 codes', async () => {
  let running = 0
  let most = 0
  await using server = await serve(({ form }) => (response) => {
    running += 1
    most = Math.max(most, running)
    setTimeout(() => {
      running -= 1
      response.end(JSON.stringify(purchaseOf(form.purchase_code)))
    }, 5)
  })
  const client = server.client()
  const gate = createGate({ client, onUnknown: 'deny' })
  const codes = Array.from({ length: 500 }, (_, number) => `code-${number}`)
  const checks = await Promise.all(codes.map((code) => gate.check(code)))
  expect(checks.filter(({ outcome }) => outcome === 'valid')).toHaveLength(500)
  expect(most).toBe(10)
})

it.each(['memory', 'a store'])('lets a code known in %s wait behind no guess of many', async (place) => {
  let time = 0
  const entries = createMemoryStore()
  const ends = new Map<string, number>()
  // One that drops what may be dropped.
  const store: GateStore = {
    ...entries,
    get: async (key) => (Number(ends.get(key)) > time ? entries.get(key) : undefined),
    set(key, entry, keepMs) {
      ends.set(key, time + keepMs)
      return entries.set(key, entry, keepMs)
    },
    replace(key, previous, entry, keepMs) {
      ends.set(key, time + keepMs)
      return entries.replace(key, previous, entry, keepMs)
    },
  }
  const held: (() => void)[] = []
  let isSlow = false
  await using server = await serve(({ form }) => (response) => {
    const answer = () => response.end(JSON.stringify(purchaseOf(form.purchase_code)))
    if (isSlow) held.push(answer)
    else answer()
  })
  const client = server.client({ timeoutMs: 30_000 })
  const options = { client, onUnknown: 'deny', now: () => time } as const
  const gate = createGate(place === 'memory' ? options : { ...options, store })
  await gate.check('known')
  time = hour
  isSlow = true
  const guesses = Array.from({ length: 1_020 }, (_, number) => gate.check(`guess-${number}`))
  const ended: unknown[] = []
  for (const guess of guesses) guess.then((check) => ended.push(check))
  // At once, while the others wait.
  const tooMany = { outcome: 'unknown', source: 'cache', error: { kind: 'timeout' } }
  await expect.poll(() => ended, { timeout: 10_000 }).toMatchObject(Array(10).fill(tooMany))
  const known = gate.check('known')
  await expect.poll(() => held.length).toBe(10)
  isSlow = false
  held[0]?.()
  expect(await known).toMatchObject({ outcome: 'valid', source: 'api' })
  const sent = server.received.map(({ form }) => form.purchase_code)
  expect(sent.indexOf('known', 1)).toBe(11)
  for (const answer of held.slice(1)) answer()
  const outcomes = (await Promise.all(guesses)).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'valid')).toHaveLength(1_010)
})

it('sends at most ten requests for 500 codes that are checked when an outage begins', async () => {
  await using server = await serve(() => 'hang')
  const gate = createGate({ client: server.client({ timeoutMs: 300 }), onUnknown: 'deny' })
  const start = performance.now()
  const codes = Array.from({ length: 500 }, (_, number) => `code-${number}`)
  const checks = await Promise.all(codes.map((code) => gate.check(code)))
  expect(checks.every(({ outcome }) => outcome === 'unknown')).toBe(true)
  expect(server.received.length).toBeLessThanOrEqual(10)
  // 15 s if all waited by tens.
  expect(performance.now() - start).toBeLessThan(10_000)
})

it('doubles the time between its attempts up to 30 seconds', async () => {
  const { gate, mockApi, code, pass } = setup()
  await gate.check(code)
  pass(hour)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  await gate.check(code)
  const times: number[] = []
  for (let second = 1; second <= 130; second += 1) {
    pass(1_000)
    const before = mockApi.requests.length
    expect(await gate.check(code)).toMatchObject({ source: 'grace' })
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    if (mockApi.requests.length > before) times.push(second)
  }
  // The one code that failed waits twice as long: another one would be asked first.
  expect(times).toEqual([2, 6, 14, 30, 62, 122])
})

it('lets a first check in as soon as the API is back', async () => {
  const { gate, mockApi, codes, pass } = setup()
  const [known = '', first = ''] = codes
  await gate.check(known)
  pass(hour)
  mockApi.fail('refused', 1)
  expect(await gate.check(known)).toMatchObject({ source: 'grace' })
  expect(await gate.check(first)).toMatchObject({ outcome: 'unknown', source: 'cache' })
  pass(1_000)
  expect(await gate.check(first)).toMatchObject({ outcome: 'valid', source: 'api' })
})

it('errors that one code may cause stop no other', async () => {
  const { gate, mockApi, codes } = setup()
  const [first = '', second = ''] = codes
  for (const fault of ['html', 'redirect', { status: 403 }, { status: 400 }] as const) {
    mockApi.fail(fault, 1)
    expect(await gate.check(first)).toMatchObject({ outcome: 'unknown', source: 'api' })
  }
  expect(await gate.check(second)).toMatchObject({ outcome: 'valid', source: 'api' })
})

it('believes a minute of Retry-After at most, and of 503 for the code that got it until another one does', async () => {
  for (const [status, retryAfter, ms] of [
    [429, '3600', minute],
    [429, '30', 30_000],
    [429, '0', 1_000],
    [503, '3600', 1_000],
  ] as const) {
    const { gate, mockApi, codes, pass } = setup()
    const [code = '', other = '', third = ''] = codes
    mockApi.fail({ status, headers: { 'retry-after': retryAfter } }, 1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown', source: 'api' })
    pass(ms - 1)
    for (const each of [code, other]) expect(await gate.check(each)).toMatchObject({ source: 'cache' })
    pass(1)
    expect(await gate.check(code)).toMatchObject({ outcome: 'unknown', source: 'cache' })
    mockApi.fail({ status, headers: { 'retry-after': '3600' } }, 1)
    expect(await gate.check(other)).toMatchObject({ outcome: 'unknown', source: 'api' })
    pass(minute - 1)
    expect(await gate.check(third)).toMatchObject({ outcome: 'unknown', source: 'cache' })
    pass(1)
    expect(await gate.check(third)).toMatchObject({ outcome: 'valid', source: 'api' })
  }
})

it('a code that a filter on the way fails shuts no other code out: 38 of 39 are served', async () => {
  for (const fault of ['reset', { status: 503, headers: { 'retry-after': '3600' } }] as const) {
    const { gate, mockApi, pass } = setup({ ttlMs: 0 })
    const filtered = mockApi.sell(101)
    const honest = mockApi.sell(101)
    let served = 0
    const check = (code: string) => {
      mockApi.recover()
      if (code === filtered) mockApi.fail(fault)
      return gate.check(code)
    }
    for (let tick = 0; tick < 200; tick += 1) {
      await check(filtered)
      if (tick % 5 === 4 && tick > 5) served += Number((await check(honest)).outcome === 'valid')
      pass(200)
    }
    expect(served).toBeGreaterThanOrEqual(38)
  }
})

it('a code that failed probes after another pause where no other one asks', async () => {
  const { gate, mockApi, codes, pass } = setup()
  const [filtered = '', other = ''] = codes
  mockApi.fail('refused', 1)
  await gate.check(filtered)
  pass(1_000)
  expect(await gate.check(filtered)).toMatchObject({ outcome: 'unknown', source: 'cache' })
  expect(await gate.check(other)).toMatchObject({ outcome: 'valid', source: 'api' })
  mockApi.fail('refused', 1)
  expect(await gate.check(filtered)).toMatchObject({ outcome: 'unknown', source: 'api' })
  // Others get their responses: it is no outage.
  expect(await gate.check(codes[2] ?? '')).toMatchObject({ outcome: 'valid', source: 'api' })
})

it('reset ends an outage', async () => {
  const { gate, mockApi, code } = setup()
  mockApi.fail({ status: 503, headers: { 'retry-after': '3600' } }, 1)
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  gate.reset()
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
})

it('a clock that is set back does not prolong the wait', async () => {
  const { gate, mockApi, code, pass } = setup()
  mockApi.fail({ status: 503, headers: { 'retry-after': '600' } }, 1)
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  pass(-24 * hour)
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
})

it('an API key that cannot be had has grace like any outage', async () => {
  let isDown = false
  const apiKey = () => {
    if (isDown) throw new Error('the secret store is down')
    return mockApi.apiKey
  }
  const { open, connect, mockApi, code, pass } = setup()
  const gate = open({ client: connect({ apiKey }) })
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  isDown = true
  pass(hour)
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
  expect(await gate.check('another')).toMatchObject({
    outcome: 'unknown',
    error: { code: 'key_unavailable' },
  })
})

it.each([undefined, createMemoryStore()])(
  'a function for the API key that never returns delays a check by its timeout, and by half a second for the store (%o)',
  async (store) => {
    const { open, connect, codes } = setup(store && { store })
    const gate = open({ client: connect({ apiKey: () => new Promise(() => {}), timeoutMs: 900 }) })
    const start = performance.now()
    for (const code of codes) expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
    // 18 s if each waited.
    expect(performance.now() - start).toBeLessThan(9_000)
  },
)

it('keeps shops apart that share a store: 0 cross hits', async () => {
  const store = createMemoryStore()
  const { open, connect, mockApi, code, pass } = setup({ store })
  mockApi.load([{ type: 'api_key', workspace: 'demo', key: 'sp_fake_key_of_another_shop' }])
  const { fetch } = mockApi
  const clients = [
    connect(),
    connect({
      baseUrl: 'https://other.test',
      fetch: (url, init) => fetch(url.replace('other', 'saleproof'), init),
    }),
    connect({ apiKey: 'sp_fake_key_of_another_shop' }),
    connect({ shape: 'base' }),
    connect({ shape: 'extended' }),
  ]
  const first = []
  for (const client of clients) first.push(await open({ client }).check(code))
  for (const result of first) expect(result).toMatchObject({ outcome: 'valid', source: 'api' })
  // Each its own: the purchases of two shapes differ.
  for (const [index, client] of clients.entries())
    expect(await open({ client }).check(code)).toEqual({ ...first[index], source: 'cache' })
  expect(mockApi.requests).toHaveLength(clients.length)
  pass(hour)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  const stranger = connect({ apiKey: 'sp_fake_key_of_a_third_shop' })
  expect(await open({ client: stranger }).check(code)).toMatchObject({ outcome: 'unknown' })
})

it.each([undefined, createMemoryStore()])(
  'gives frozen results, with their purchase and item (store %o)',
  async (store) => {
    const { open, mockApi, code, pass } = setup()
    const gate = open(store && { store })
    const isFrozen = (value: unknown): boolean => {
      const { purchase, error } = Object(value)
      return [value, purchase, purchase?.item, error].every(Object.isFrozen)
    }
    const results = [
      await gate.check(code),
      await gate.check(code),
      await gate.check(''),
      await gate.check('none'),
    ]
    results.push(await gate.check(code, { itemId: 7 }))
    pass(hour)
    mockApi.fail({ status: 500, body: { status: 'error', msg: 'down' } }, Number.POSITIVE_INFINITY)
    results.push(await gate.check(code), await gate.check('another'))
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'valid',
      'valid',
      'invalid',
      'invalid',
      'invalid',
      'valid',
      'unknown',
    ])
    for (const result of results) {
      expect(isFrozen(result)).toBe(true)
      expect(Object.keys(result)).toContain('source')
    }
  },
)

it('forgets a code in all its spellings', async () => {
  const { gate, mockApi, code, pass } = setup()
  await gate.check(code)
  await gate.forget(` ${code.replaceAll('-', '\u2013')}`)
  expect(await gate.check(code)).toMatchObject({ source: 'api' })
  await gate.forget(code)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  pass(hour)
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  await gate.forget('')
})

it('does not keep what it had to forget while the request was under way', async () => {
  const { gate, mockApi, code } = setup()
  const check = gate.check(code)
  await gate.forget(code)
  expect(await check).toMatchObject({ outcome: 'valid' })
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
})

it('hands the work in the background to `waitUntil`', async () => {
  const { gate, mockApi, code, pass } = setup()
  await gate.check(code)
  pass(hour)
  mockApi.fail('refused', 1)
  await gate.check(code)
  pass(2_000)
  const works: Promise<unknown>[] = []
  const check = await gate.check(code, { waitUntil: (work) => works.push(work) })
  expect(check).toMatchObject({ source: 'grace' })
  expect(works).toHaveLength(1)
  await Promise.all(works)
  expect(await gate.check(code)).toMatchObject({ source: 'cache' })
})

it('survives a response that is nested as deeply as its size allows', async () => {
  const nested = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
  const body = JSON.stringify(bodies.purchase).replace('"price"', `"extra":${nested},"price"`)
  const reply: Reply = { body }
  await using server = await serve(() => reply)
  const gate = createGate({ client: server.client(), onUnknown: 'deny' })
  const { outcome } = await gate.check(purchaseBase.purchase_code)
  expect(['valid', 'unknown']).toContain(outcome)
})
