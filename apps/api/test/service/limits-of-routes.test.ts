import {
  type ErrorCode,
  type Operation,
  type OperationName,
  operationErrors,
  operationList,
} from '@saleproof/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, Sent } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, otherKey, records, secretKey } from '../support/records.ts'

/** What an operation needs beside the key: what is there, and what is not. */
const asked: Record<OperationName, { hit: Record<string, string>; miss?: Record<string, string> }> = {
  getAccount: { hit: {} },
  listItems: { hit: {} },
  getItem: { hit: { item_id: '101' }, miss: { item_id: '5' } },
  validatePurchase: { hit: { purchase_code: codes.active }, miss: { purchase_code: 'ZZZZ-no-such-code' } },
}

type Pairs = Record<string, string>
type Build = (operation: Operation, parameters: Pairs, key: string) => Sent

const boundary = 'a-boundary'
const multipart = (pairs: Pairs) =>
  Object.entries(pairs)
    .map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .concat(`--${boundary}--\r\n`)
    .join('')

const withBody = (type: string, write: (pairs: Pairs) => string, pairs: Pairs) => {
  const body = write(pairs)
  return { headers: { 'content-type': type, 'content-length': `${Buffer.byteLength(body)}` }, body }
}
const query = (pairs: Pairs) => (Object.keys(pairs).length ? `?${new URLSearchParams(pairs)}` : '')

/** A request whose parameters are where the operation takes them first: in the query of a GET, in the body of a POST. */
function request({ method, path }: Operation, parameters: Pairs, headers: Pairs, more: Pairs = {}): Sent {
  if (method === 'GET') return { path: `${path}${query({ ...parameters, ...more })}`, headers }
  const sent = withBody('application/json', JSON.stringify, parameters)
  return { method, path: `${path}${query(more)}`, headers: { ...headers, ...sent.headers }, body: sent.body }
}

const inBody =
  (type: string, write: (pairs: Pairs) => string): Build =>
  ({ method, path }, parameters, key) => ({
    method,
    path,
    ...withBody(type, write, { ...parameters, api_key: key }),
  })

/** Every way to send a key that the contract has. */
const inAnyRequest: Record<string, Build> = {
  'Authorization: Bearer': (operation, parameters, key) =>
    request(operation, parameters, { authorization: `Bearer ${key}` }),
  'authorization: bEARER': (operation, parameters, key) =>
    request(operation, parameters, { authorization: `bEARER ${key}` }),
  'X-Api-Key': (operation, parameters, key) => request(operation, parameters, { 'x-api-key': key }),
  query: (operation, parameters, key) => request(operation, parameters, {}, { api_key: key }),
  'two of them': (operation, parameters, key) =>
    request(operation, parameters, { 'x-api-key': key }, { api_key: key }),
}
const inPost: Record<string, Build> = {
  'JSON body': inBody('application/json', JSON.stringify),
  'form body': inBody('application/x-www-form-urlencoded', (pairs) => `${new URLSearchParams(pairs)}`),
  'multipart body': inBody(`multipart/form-data; boundary=${boundary}`, multipart),
}

const ways = operationList.flatMap((operation) =>
  Object.entries(operation.method === 'POST' ? { ...inAnyRequest, ...inPost } : inAnyRequest).map(
    ([way, build]) => ({ route: `${operation.method} ${operation.path}`, way, operation, build }),
  ),
)
const counted: readonly ErrorCode[] = ['item_not_found', 'purchase_not_found']
const waysToMiss = ways.filter(({ operation }) =>
  operationErrors(operation.name).some((code) => counted.includes(code)),
)

const limits = { rate: 5, failures: 3, keyFailures: 4 }

describe.each(['on', 'off'])('with the fast path %s', (fastPath) => {
  let service: TestService
  let now = Date.parse('2026-01-01T00:00:00Z')
  beforeAll(async () => {
    service = await startService({
      records,
      clock: () => new Date(now),
      env: {
        SALEPROOF_FAST_PATH: fastPath,
        TRUST_PROXY: '1',
        SALEPROOF_RATE_LIMIT: `${limits.rate}/60`,
        SALEPROOF_FAILURE_LIMIT: `${limits.failures}/60`,
        SALEPROOF_KEY_FAILURE_LIMIT: `${limits.keyFailures}/60`,
      },
    })
  })
  afterAll(() => service.close())
  // Every test begins with whole budgets.
  beforeEach(() => {
    now += 61_000
  })

  const from = (sent: Sent, address: string) =>
    service.request({ ...sent, headers: { ...sent.headers, 'x-forwarded-for': address } })

  async function times(count: number, sent: Sent, address: string) {
    const answers: Answer[] = []
    for (let index = 0; index < count; index++) answers.push(await from(sent, address))
    return answers
  }
  const here = '192.0.2.1'
  const elsewhere = (count: number) => `198.51.100.${count}`

  function expectLimited(answer: Answer, kind: string, count: number) {
    expect([answer.status, answer.headers['x-error-code']]).toEqual([429, 'rate_limited'])
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': `"${kind}";q=${count};w=60`,
      ratelimit: `"${kind}";r=0;t=60`,
      'retry-after': '60',
      'cache-control': 'no-store',
    })
    expect(answer.headers['www-authenticate']).toBeUndefined()
    expect(JSON.parse(answer.text)).toEqual({ status: 'error', msg: 'Too many requests' })
  }

  test.each(ways)(
    '$route: requests of a key and an address, the key in $way',
    async ({ operation, build }) => {
      const sent = build(operation, asked[operation.name].hit, secretKey)
      for (const [index, answer] of (await times(limits.rate, sent, here)).entries()) {
        expect(answer.status).toBe(200)
        expect(answer.headers['ratelimit-policy']).toBe(`"requests";q=${limits.rate};w=60`)
        expect(answer.headers.ratelimit).toBe(`"requests";r=${limits.rate - 1 - index};t=60`)
      }
      expectLimited(await from(sent, here), 'requests', limits.rate)
      // However else the same key is sent.
      for (const other of Object.values(
        operation.method === 'POST' ? { ...inAnyRequest, ...inPost } : inAnyRequest,
      ))
        expect((await from(other(operation, asked[operation.name].hit, secretKey), here)).status).toBe(429)
      expect((await from(sent, elsewhere(1))).status).toBe(200)
      const others = await from(build(operation, asked[operation.name].hit, otherKey), here)
      expect(others.status).not.toBe(429)
      now += 60_000
      expect((await from(sent, here)).status).toBe(200)
    },
  )

  test.each(ways)('$route: unknown keys of an address, sent in $way', async ({ operation, build }) => {
    const guess = (count: number) =>
      build(operation, asked[operation.name].hit, `sp_test_no_such_key_${count}`)
    for (let count = 0; count < limits.failures; count++)
      expect((await from(guess(count), here)).headers['x-error-code']).toBe('invalid_api_key')
    expectLimited(await from(guess(limits.failures), here), 'failures', limits.failures)
    expect((await from(build(operation, asked[operation.name].hit, secretKey), here)).status).toBe(200)
    expect((await from(guess(0), elsewhere(2))).status).toBe(401)
    now += 60_000
    expect((await from(guess(0), here)).status).toBe(401)
  })

  test.each(waysToMiss)(
    '$route: failures of a key and an address, the key in $way',
    async ({ operation, build }) => {
      const { hit, miss = {} } = asked[operation.name]
      const missed = build(operation, miss, secretKey)
      for (const answer of await times(limits.failures, missed, here))
        expect(counted).toContain(answer.headers['x-error-code'])
      for (const answer of await times(8, missed, here)) expectLimited(answer, 'failures', limits.failures)
      const given = await from(build(operation, hit, secretKey), here)
      expect([given.status, given.headers.ratelimit]).toEqual([200, '"requests";r=1;t=60'])
      expect((await from(build(operation, miss, otherKey), here)).status).toBe(404)
      expect((await from(missed, elsewhere(3))).status).toBe(404)
    },
  )

  test.each(waysToMiss)(
    '$route: failures of a key from many addresses, the key in $way',
    async ({ operation, build }) => {
      const { hit, miss = {} } = asked[operation.name]
      const missed = build(operation, miss, secretKey)
      for (let count = 0; count < limits.keyFailures; count++)
        expect(counted).toContain((await from(missed, elsewhere(count))).headers['x-error-code'])
      for (let count = limits.keyFailures; count < 10; count++)
        expectLimited(await from(missed, elsewhere(count)), 'key-failures', limits.keyFailures)
      expect((await from(build(operation, hit, secretKey), elsewhere(9))).status).toBe(200)
      expect((await from(build(operation, miss, otherKey), elsewhere(9))).status).toBe(404)
      now += 60_000
      expect((await from(missed, elsewhere(9))).status).toBe(404)
    },
  )
})

test('the table of this file knows every operation, and what each of them can miss', () => {
  expect(Object.keys(asked)).toEqual(operationList.map(({ name }) => name))
  for (const { name } of operationList)
    expect(asked[name].miss !== undefined).toBe(operationErrors(name).some((code) => counted.includes(code)))
})
