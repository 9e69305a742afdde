import { createClient } from '@saleproof/sdk'
import { createGate, createRedisStore, type GateEvent } from '@saleproof/sdk/gate'
import { createMockApi } from '@saleproof/sdk/testing'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startRedis } from '../support/redis-server.ts'

// The store of the SDK in a Redis server. Each gate has its own connection, like a process of its own.

const hour = 3_600_000
const pepper = 'a pepper of this installation, 32 characters or more'
const otherPepper = 'a pepper of another installation, as long as the first'

let server: Awaited<ReturnType<typeof startRedis>>
beforeEach(async () => {
  server = await startRedis()
})
afterEach(() => server.stop())

function connect() {
  const redis = new Redis(server.port, { maxRetriesPerRequest: 0, retryStrategy: () => 50 })
  // Without a listener ioredis prints what the tests cause.
  redis.on('error', () => {})
  onTestFinished(() => redis.disconnect())
  return redis
}

const openStore = (options: { pepper?: string; prefix?: string } = {}, redis = connect()) =>
  createRedisStore((args) => redis.call(...args), { pepper, ...options })

function setup() {
  const mockApi = createMockApi()
  const { baseUrl, apiKey, fetch } = mockApi
  const client = createClient({ baseUrl, apiKey, fetch, maxRetries: 0 })
  let time = Date.now()
  const events: GateEvent[] = []
  const start = (store = openStore()) =>
    createGate({
      client,
      store,
      onUnknown: { allowCachedMs: 72 * hour },
      log: (event) => events.push(event),
      now: () => time,
    })
  return {
    mockApi,
    start,
    code: mockApi.sell(101),
    outage: () => mockApi.fail('refused', Number.POSITIVE_INFINITY),
    pass(ms: number) {
      time += ms
    },
    storeErrors: () => events.filter(({ event }) => event === 'store-error').length,
  }
}

test('grace survives a restart, and a refusal or a clock that was set back ends it', async () => {
  const { mockApi, start, code, outage, pass } = setup()
  expect(await start().check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  expect(await start().check(code)).toMatchObject({ outcome: 'valid', source: 'cache' })
  outage()
  pass(71 * hour)
  expect(await start().check(code)).toMatchObject({ source: 'grace', purchase: { purchase_code: code } })
  pass(-70 * hour)
  expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
  mockApi.recover()
  mockApi.setPurchaseState(code, 'refunded')
  pass(71 * hour)
  expect(await start().check(code)).toMatchObject({ outcome: 'invalid' })
  outage()
  pass(hour)
  expect(await start().check(code)).toMatchObject({ outcome: 'unknown' })
})

test('no code and no key is in clear in any key or value, and each expires', async () => {
  const { mockApi, start, code } = setup()
  const gate = start()
  const spelling = code.replaceAll('-', '\u2013')
  for (const each of [code, spelling, 'never-sold-0']) await gate.check(each)
  const redis = connect()
  const keys = await redis.keys('*')
  expect(keys.length).toBeGreaterThanOrEqual(2)
  for (const key of keys) {
    expect(key).toMatch(/^saleproof:[0-9a-f]{64}$/)
    const value = (await redis.get(key)) ?? ''
    const all = [key, value, atob(value)].join('\n')
    for (const secret of [code, spelling, 'never-sold-0', mockApi.apiKey, new URL(mockApi.baseUrl).host])
      expect(all).not.toContain(secret)
  }
  const expiries = await Promise.all(keys.map((key) => redis.pttl(key)))
  const [guess = 0, ...others] = expiries.toSorted((a, b) => a - b)
  expect(guess).toBeGreaterThan(0)
  expect(guess).toBeLessThanOrEqual(60_000)
  for (const expiresInMs of others) {
    expect(expiresInMs).toBeGreaterThan(71 * hour)
    expect(expiresInMs).toBeLessThanOrEqual(72 * hour + 60_000)
  }
})

test('an entry that was written by hand, altered, moved or of another pepper is not accepted', async () => {
  const { start, code, outage, pass, storeErrors } = setup()
  const redis = connect()
  await start().check(code)
  const before = await redis.keys('*')
  await start().check('never-sold-0')
  const [neverSold = ''] = (await redis.keys('*')).filter((key) => !before.includes(key))
  outage()
  pass(hour)
  const manual = JSON.stringify({ outcome: 'valid', at: Date.now(), purchase: { item: { id: 101 } } })
  const moved = await redis.mget(before)
  const texts = [manual, btoa(manual), ...moved.map(String), ...moved.map((text) => `A${text?.slice(1)}`)]
  for (const [index, text] of texts.entries()) {
    await redis.set(neverSold, text)
    expect(await start().check('never-sold-0')).toMatchObject({ outcome: 'unknown' })
    expect(storeErrors()).toBeGreaterThan(index)
  }
  expect(await start(openStore({ pepper: otherPepper })).check(code)).toMatchObject({ outcome: 'unknown' })
  expect(await start(openStore({ prefix: 'another:' })).check(code)).toMatchObject({ outcome: 'unknown' })
  expect(await start().check(code)).toMatchObject({ source: 'grace' })
})

test('Redis removes entries that have expired', async () => {
  const store = openStore()
  const redis = connect()
  await store.set('a', { outcome: 'invalid', at: 1, reason: 'purchase_not_found' }, 100)
  expect(await store.get('a')).toMatchObject({ outcome: 'invalid' })
  await expect.poll(() => redis.dbsize()).toBe(0)
  expect(await store.get('a')).toBeUndefined()
})

test('two connections that write one entry at once never give a torn one', async () => {
  const writers = ['A', 'B'].map((reason) => ({ reason, store: openStore() }))
  const reader = openStore()
  let running = writers.length
  const work = writers.map(async ({ reason, store }) => {
    for (let at = 1; at <= 300; at += 1) {
      const text = reason.repeat(1 + ((at * 7_919) % 20_000)) as 'purchase_not_found'
      await store.set('one key', { outcome: 'invalid', at, reason: text }, hour)
    }
    running -= 1
  })
  const seen = new Set<string | undefined>()
  while (running) {
    const reason: string = (await reader.get('one key'))?.reason ?? ''
    expect(reason).toMatch(/^(A*|B*)$/)
    seen.add(reason[0])
  }
  await Promise.all(work)
  expect([...seen]).toEqual(expect.arrayContaining(['A', 'B']))
})

test('an entry that another connection replaced is not overwritten, and one of many asks the API', async () => {
  const [one, other] = [openStore(), openStore()]
  const no = { outcome: 'invalid', at: 2, reason: 'purchase_not_active' } as const
  const clock = { outcome: 'clock', at: 1 } as const
  expect(await one.get('a')).toBeUndefined()
  await other.set('a', no, hour)
  expect(await one.replace?.('a', undefined, clock, hour)).toBe(false)
  expect(await one.replace?.('a', await one.get('a'), clock, hour)).toBe(true)
  expect(await other.get('a')).toEqual(clock)

  const { mockApi, start, code } = setup()
  const gates = [start(), start(), start()]
  for (const check of await Promise.all(gates.map((gate) => gate.check(code))))
    expect(check).toMatchObject({ outcome: 'valid' })
  expect(mockApi.requests).toHaveLength(1)
})

test('a check never fails because Redis is down or frozen', async () => {
  const { mockApi, start, code, pass, outage, storeErrors } = setup()
  const gate = start()
  await gate.check(code)
  server.freeze()
  pass(hour)
  const startedAt = performance.now()
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  expect(storeErrors()).toBeGreaterThan(0)
  server.thaw()
  await server.stop()
  mockApi.setPurchaseState(code, 'revoked')
  pass(hour)
  expect(await gate.check(code)).toMatchObject({ outcome: 'invalid' })
  outage()
  await server.start()
  pass(hour)
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
})
