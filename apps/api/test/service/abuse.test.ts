import { operations } from '@saleproof/schema'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Sent } from '../support/client.ts'
import { keepConnections, type Received } from '../support/client.ts'
import { onPostgres } from '../support/database.ts'
import { startService, type TestService, temporaryFolder } from '../support/harness.ts'
import { codes, otherKey, publishableKey, records, secretKey } from '../support/records.ts'

const validation = operations.validatePurchase.path
const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute
const begin = Date.parse('2026-01-01T00:00:00Z')

/** The limits as they are without any setting. */
const defaults = { SALEPROOF_RATE_LIMIT: '600/60', SALEPROOF_FAILURE_LIMIT: '30/60', TRUST_PROXY: '1' }

let now = begin
let service: TestService
let connections: ReturnType<typeof keepConnections>

async function start(fastPath: string, env: Record<string, string> = {}, folder?: string) {
  now = begin
  service = await startService({
    records,
    clock: () => new Date(now),
    env: { ...defaults, SALEPROOF_FAST_PATH: fastPath, ...env },
    ...(folder !== undefined && { folder }),
  })
  connections = keepConnections(service.url, 8)
}
async function stop() {
  connections.close()
  await service.close()
}
afterEach(stop)

function check(code: string, address: string, key: string = secretKey): Sent {
  const body = JSON.stringify({ purchase_code: code })
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` }
  return {
    method: 'POST',
    path: validation,
    headers: { ...headers, 'x-api-key': key, 'x-forwarded-for': address },
    body,
  }
}

const guess = (count: number) => `GUESS-${String(count).padStart(8, '0')}`
const addressOf = (count: number) => `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`

function tally(answers: readonly Received[]) {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const office = '203.0.113.5'
const fastPaths = ['on', 'off']

// Budgets know no database; whom a publishable key has shown a valid code is stored in it.
describe.each(onPostgres ? [] : fastPaths)('with the fast path %s', (fastPath) => {
  beforeEach(() => start(fastPath))

  // Through Prisma each request takes several times as long; what is counted is the same.
  const [servers, minutes, bad] = fastPath === 'on' ? [500, 10, 1000] : [100, 2, 100]

  test(`${servers} servers behind one address with one key, one check each in ten minutes, never see a 429`, async () => {
    for (let sent = 0; sent < servers; sent += 25) {
      const round = Array.from({ length: 25 }, () => check(codes.active, office))
      expect(tally(await connections.askAll(round))).toEqual({ 200: 25 })
      now += 30 * second
    }
    // All at once, as when they all start at the full hour.
    const together = Array.from({ length: servers }, () => check(codes.active, office))
    expect(tally(await connections.askAll(together))).toEqual({ 200: servers })
  })

  test('nor while one visitor behind the same address types bad codes without pause', async () => {
    let typed = 0
    const typing = (count: number) => Array.from({ length: count }, () => check(guess(typed++), office))
    let [misses, refusals] = [0, 0]
    for (let elapsed = 0; elapsed < minutes; elapsed++) {
      // 150 bad codes between the checks of each minute, and a minute later the budget of failures is whole again.
      for (let part = 0; part < 5; part++) {
        const guesses = await connections.askAll(typing(30))
        misses += guesses.filter(({ status }) => status === 404).length
        refusals += guesses.filter(({ headers }) => headers['x-error-code'] === 'rate_limited').length
        const honest = Array.from({ length: servers / 50 }, () => check(codes.active, office))
        expect(tally(await connections.askAll(honest))).toEqual({ 200: honest.length })
        now += 12 * second
      }
    }
    expect([misses, refusals]).toEqual([30 * minutes, 120 * minutes])
    // The worst of all: more bad codes in a minute than it has requests, and all the servers in the same minute.
    expect(tally(await connections.askAll(typing(bad)))).toEqual({ 404: 30, 429: bad - 30 })
    const honest = Array.from({ length: servers }, () => check(codes.active, office))
    const mixed = await connections.askAll(honest.flatMap((sent) => [sent, ...typing(1)]))
    expect(tally(mixed.filter((_, index) => index % 2 === 0))).toEqual({ 200: servers })
    expect(tally(mixed.filter((_, index) => index % 2 === 1))).toEqual({ 429: servers })
  })

  test('a guesser from thousands of addresses with one key gains nothing', async () => {
    const addresses = 600 + bad
    const everywhere = Array.from({ length: addresses }, (_, n) => check(guess(n), addressOf(n)))
    const answers = await connections.askAll(everywhere)
    expect(tally(answers)).toEqual({ 404: 600, 429: addresses - 600 })
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers['x-error-code']).toBe('rate_limited')
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"key-failures";q=600;w=600',
      ratelimit: '"key-failures";r=0;t=600',
      'retry-after': '600',
    })

    // A valid code succeeds, from an address that guessed as well as from another; other keys have budgets of their own.
    for (const address of [addressOf(0), addressOf(addresses - 1), '198.51.100.1']) {
      expect((await connections.ask(check(codes.active, address))).status).toBe(200)
      expect((await connections.ask(check('no-such-code', address))).status).toBe(429)
      expect((await connections.ask(check('no-such-code', address, otherKey))).status).toBe(404)
      expect((await connections.ask(check('no-such-code', address, publishableKey))).status).toBe(404)
    }
    expect((await connections.ask(check(codes.refunded, addressOf(1)))).headers['x-error-code']).toBe(
      'purchase_not_active',
    )

    now += 10 * minute
    const later = await connections.askAll(everywhere.slice(0, 620))
    expect(tally(later)).toEqual({ 404: 600, 429: 20 })
  }, 240_000)

  test('one address alone does not use up what a key has', async () => {
    for (let elapsed = 0; elapsed < minutes; elapsed++) {
      const answers = await connections.askAll(Array.from({ length: 40 }, (_, n) => check(guess(n), office)))
      expect(tally(answers)).toEqual({ 404: 30, 429: 10 })
      now += minute
    }
    expect((await connections.ask(check('mistyped', '198.51.100.7'))).headers['x-error-code']).toBe(
      'purchase_not_found',
    )
  })

  test('all addresses of an IPv6 network are one caller, and a port makes no other', async () => {
    const network = Array.from({ length: 40 }, (_, n) =>
      check(guess(n), `2001:db8:0:1:${((n * 7919) & 0xffff).toString(16)}::${n}`),
    )
    expect(tally(await connections.askAll(network))).toEqual({ 404: 30, 429: 10 })
    expect((await connections.ask(check(guess(0), '2001:db8:0:2::1'))).status).toBe(404)
    const ports = Array.from({ length: 40 }, (_, n) => check(guess(n), `192.0.2.1:${40_000 + n}`))
    expect(tally(await connections.askAll(ports))).toEqual({ 404: 30, 429: 10 })
  })
})

describe.each(fastPaths)('a publishable key, which anybody has, with the fast path %s', (fastPath) => {
  beforeEach(() => start(fastPath))

  const at = (address: string) => (code: string) => connections.ask(check(code, address, publishableKey))
  const guessAt = async (address: string, count: number) =>
    tally(
      await connections.askAll(
        Array.from({ length: count }, (_, n) => check(guess(n), address, publishableKey)),
      ),
    )

  test('reveals no valid guess past the limit, but to the address that validated the code before', async () => {
    const [buyer, guesser, other] = ['203.0.113.7', '203.0.113.8', '203.0.113.9'].map(at)
    expect((await buyer!(codes.active)).status).toBe(200)
    for (const address of ['203.0.113.7', '203.0.113.8'])
      expect(await guessAt(address, 31)).toEqual({ 404: 30, 429: 1 })
    const waits = await guesser!(codes.active)
    expect([waits.status, waits.headers]).toEqual([
      429,
      expect.objectContaining({
        'x-error-code': 'rate_limited',
        'ratelimit-policy': '"guesses";q=30;w=60',
        ratelimit: '"guesses";r=0;t=60',
        'retry-after': '60',
      }),
    ])
    // What waits looks alike, whether the code is valid, refunded or was never sold.
    for (const code of [codes.refunded, 'no-such-code']) {
      const { status, headers } = await guesser!(code)
      const { date: _, 'x-request-id': __, ...same } = waits.headers
      expect([status, headers]).toEqual([429, expect.objectContaining(same)])
    }
    expect((await buyer!(codes.active)).status).toBe(200)
    expect((await other!(codes.active)).status).toBe(200)
    now += minute
    expect((await guesser!(codes.active)).status).toBe(200)
  })

  test('remembers a buyer for 30 days, over a restart too', async () => {
    const { folder, remove } = await temporaryFolder()
    onTestFinished(remove)
    const buyer = at(office)
    for (const isAgain of [false, true]) {
      await stop()
      await start(fastPath, {}, folder)
      if (!isAgain) expect((await buyer(codes.active)).status).toBe(200)
    }
    now += 29 * day
    await guessAt(office, 31)
    expect((await buyer(codes.active)).status).toBe(200)
    now += 31 * day
    await guessAt(office, 31)
    expect((await buyer(codes.active)).status).toBe(429)
  })
})
