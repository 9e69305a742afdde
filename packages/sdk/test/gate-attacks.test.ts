import { describe, expect, it } from 'vitest'
import { createGate, type GateOptions } from '../src/gate/index.ts'
import { type ClientOptions, createClient, type Fetch } from '../src/index.ts'
import { createMockApi } from '../src/testing/index.ts'
import { createMemoryStore } from './memory-store.ts'

// A refunded buyer who may send any number of requests in any spelling.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Setup {
  /** So many wrong codes a minute are answered as wrong, all others by 429. */
  readonly wrongCodes?: number
  readonly client?: Partial<ClientOptions>
  readonly gate?: Partial<GateOptions>
}

const limited = { RateLimit: '"failures";r=0;t=60', 'retry-after': '60' }

function setup({ wrongCodes = 1e9, client: clientOptions, gate: gateOptions }: Setup = {}) {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const now = () => time
  const mockApi = createMockApi({ now })
  const { apiKey, baseUrl } = mockApi
  const wrong = new Map<number, number>()
  const fetch: Fetch = async (...request) => {
    const response = await mockApi.fetch(...request)
    if (response.headers.get('x-error-code') !== 'purchase_not_found') return response
    const inMinute = Math.floor(time / minute)
    wrong.set(inMinute, (wrong.get(inMinute) ?? 0) + 1)
    const isOver = Number(wrong.get(inMinute)) > wrongCodes
    return isOver ? new Response(null, { status: 429, headers: limited }) : response
  }
  const connect = (more: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, apiKey, fetch, maxRetries: 0, ...clientOptions, ...more })
  const open = (more: Partial<GateOptions> = {}) =>
    createGate({ client: connect(), now, onUnknown: { allowCachedMs: 3 * day }, ...gateOptions, ...more })
  const pass = (ms: number) => {
    time += ms
  }
  return { mockApi, connect, open, gate: open(), pass }
}

const dashes = ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '-']
const code = 'AAAA-1111-BBBB-2222'

/** So many spellings of a code with three dashes, none of them the canonical one. */
function spellingsOf(text: string, count: number): string[] {
  const spellings: string[] = []
  for (let number = 0; spellings.length < count; number += 1) {
    let rest = number
    const spelled = text.replaceAll('-', () => {
      const dash = dashes[rest % 8]
      rest = Math.floor(rest / 8)
      return `${'\u200b'.repeat(rest % 2)}${dash}`
    })
    const spelling = spelled + '\u200b'.repeat(Math.floor(number / 512))
    if (spelling !== text) spellings.push(spelling)
  }
  return [...new Set(spellings)]
}

describe.each(['in memory', 'in a store'])('a refunded code, with entries %s', (where) => {
  const withStore = () => (where === 'in a store' ? { gate: { store: createMemoryStore() } } : {})

  async function refunded(options: Setup = {}) {
    const world = setup({ ...withStore(), ...options })
    world.mockApi.sell(101, { purchase_code: code })
    expect(await world.gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    world.mockApi.setPurchaseState(code, 'refunded')
    world.pass(hour)
    return world
  }

  it('is not valid by its canonical form after 700 dash spellings and a 429', async () => {
    const { gate, mockApi, pass } = await refunded()
    const spellings = spellingsOf(code, 700)
    expect(spellings).toHaveLength(700)
    const before = mockApi.requests.length
    for (const spelling of spellings) expect((await gate.check(spelling)).outcome).not.toBe('valid')
    expect(mockApi.requests.length - before).toBeLessThan(10)
    mockApi.fail({ status: 429, headers: { 'retry-after': '60' } }, Number.POSITIVE_INFINITY)
    for (const wait of [0, minute, hour, day, day]) {
      pass(wait)
      expect((await gate.check(code)).outcome).not.toBe('valid')
    }
  })

  it('is valid in no spelling in an outage, after an invalid result in one of them', async () => {
    const { gate, mockApi, pass } = await refunded()
    const [first = '', ...others] = spellingsOf(code, 50)
    expect(await gate.check(first)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_active' })
    mockApi.fail('refused', Number.POSITIVE_INFINITY)
    for (const spelling of [code, first, ...others]) {
      pass(minute)
      expect((await gate.check(spelling)).outcome).not.toBe('valid')
    }
  })

  it('stays refused while 700 spellings are checked at once', async () => {
    const { gate, mockApi } = await refunded()
    const before = mockApi.requests.length
    const results = await Promise.all(spellingsOf(code, 700).map((spelling) => gate.check(spelling)))
    expect(results.filter(({ outcome }) => outcome === 'valid')).toEqual([])
    expect(mockApi.requests.length - before).toBeLessThan(10)
  })

  it('is not kept from the next request by a flood of codes that were never sold', async () => {
    const { gate, mockApi, pass } = await refunded({ wrongCodes: 30 })
    for (let second = 0; second < 120; second += 1) {
      for (let guess = 0; guess < 5; guess += 1) await gate.check(`guess-${second}-${guess}`)
      pass(1_000)
    }
    expect(await gate.check(code)).toMatchObject({ outcome: 'invalid', reason: 'purchase_not_active' })
    expect(mockApi.requests.length).toBeGreaterThan(100)
  })

  it('is asked about before any flood when a 429 for everybody ends', async () => {
    const { gate, mockApi, pass } = await refunded()
    mockApi.fail({ status: 429, headers: { 'retry-after': '60' } }, 1)
    expect(await gate.check('guess')).toMatchObject({ outcome: 'unknown' })
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
    pass(minute)
    for (let guess = 0; guess < 100; guess += 1) await gate.check(`guess-${guess}`)
    expect((await gate.check(code)).outcome).toBe('invalid')
  })
})

it('a purchase that is gone gets no grace by using up the limit of wrong codes', async () => {
  const { gate, mockApi, pass } = setup({ wrongCodes: 3 })
  const sold = mockApi.sell(101)
  expect(await gate.check(sold)).toMatchObject({ outcome: 'valid' })
  mockApi.load([{ type: 'api_key', workspace: 'demo', key: mockApi.apiKey, items: [102] }])
  pass(hour)
  for (const guess of ['a', 'b', 'c']) expect((await gate.check(guess)).outcome).toBe('invalid')
  expect(await gate.check(sold)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'rate_limited', retryable: false },
  })
})

it('a flood of wrong codes prevents no first check', async () => {
  const { gate, mockApi } = setup({ wrongCodes: 30 })
  const sold = mockApi.sell(101)
  for (let guess = 0; guess < 200; guess += 1) await gate.check(`guess-${guess}`)
  expect(await gate.check('guess')).toMatchObject({ outcome: 'unknown', error: { kind: 'rate_limited' } })
  expect(await gate.check(sold)).toMatchObject({ outcome: 'valid', source: 'api' })
})

it('the wrong key of an operator leaves the grace, also when it uses up the limit of failures', async () => {
  const { gate, mockApi, pass } = setup({ wrongCodes: 3 })
  const sold = mockApi.sell(101)
  await gate.check(sold)
  pass(hour)
  mockApi.load([
    { type: 'api_key', workspace: 'demo', key: mockApi.apiKey, revoked_at: '2026-01-01T00:00:00Z' },
  ])
  expect(await gate.check(sold)).toMatchObject({ outcome: 'valid', source: 'grace' })
  mockApi.fail({ status: 429, headers: limited }, 1)
  expect(await gate.check(sold)).toMatchObject({ outcome: 'valid', source: 'grace' })
})

it('10,000 spellings of one code evict no grace', async () => {
  const { gate, mockApi, pass } = setup()
  const honest = Array.from({ length: 20 }, () => mockApi.sell(101))
  for (const each of honest) await gate.check(each)
  mockApi.sell(101, { purchase_code: code })
  const spellings = spellingsOf(code, 10_000)
  for (const spelling of spellings) expect((await gate.check(spelling)).outcome).toBe('valid')
  expect(mockApi.requests).toHaveLength(21)
  pass(hour)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  for (const each of honest)
    expect(await gate.check(each)).toMatchObject({ outcome: 'valid', source: 'grace' })
})

it('10,000 spellings of a refused code evict no grace', async () => {
  const { gate, mockApi, pass } = setup()
  const honest = mockApi.sell(101)
  await gate.check(honest)
  mockApi.sell(101, { purchase_code: code, state: 'refunded' })
  for (const spelling of spellingsOf(code, 10_000)) await gate.check(spelling)
  for (let guess = 0; guess < 12_000; guess += 1) await gate.check(`guess-${guess}`)
  pass(hour)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  expect(await gate.check(honest)).toMatchObject({ outcome: 'valid', source: 'grace' })
})
