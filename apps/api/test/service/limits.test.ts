import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, Sent } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import {
  codes,
  emptyKey,
  expiredKey,
  otherKey,
  publishableKey,
  records,
  secretKey,
} from '../support/records.ts'

const { getAccount, listItems, getItem, validatePurchase } = operations
const unknownKey = 'sp_test_key_that_nobody_made'

const read = (path: string, key: string, headers: Record<string, string> = {}): Sent => ({
  path,
  headers: { 'x-api-key': key, ...headers },
})
const validate = (code: string, key: string, headers: Record<string, string> = {}): Sent => {
  const body = JSON.stringify({ purchase_code: code })
  const contentHeaders = {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
  }
  return {
    method: 'POST',
    path: validatePurchase.path,
    headers: { 'x-api-key': key, ...contentHeaders, ...headers },
    body,
  }
}
const noItem = `${getItem.path}?item_id=5`

const limitOf = ({ headers }: Answer) => headers.ratelimit
const codeOf = ({ headers }: Answer) => headers['x-error-code']

describe.each(['on', 'off'])('with the fast path %s', (fastPath) => {
  let service: TestService
  let now: number
  let address = 0
  beforeAll(async () => {
    service = await startService({
      records,
      clock: () => new Date(now),
      env: {
        SALEPROOF_FAST_PATH: fastPath,
        TRUST_PROXY: '1',
        SALEPROOF_RATE_LIMIT: '6/60',
        SALEPROOF_FAILURE_LIMIT: '3/30',
      },
    })
  })
  now = Date.parse('2026-01-01T00:00:00Z')
  afterAll(() => service.close())
  beforeEach(() => {
    address++
  })

  /** Each test comes from addresses of its own. */
  const from = (sent: Sent, host = 1) =>
    service.request({ ...sent, headers: { ...sent.headers, 'x-forwarded-for': `10.0.${address}.${host}` } })
  async function times(count: number, sent: Sent, host = 1) {
    const answers: Answer[] = []
    for (let index = 0; index < count; index++) answers.push(await from(sent, host))
    return answers
  }

  test('all four operations count together and name the limit', async () => {
    const each = [
      read(getAccount.path, secretKey),
      read(listItems.path, secretKey),
      read(`${getItem.path}?item_id=101`, secretKey),
      validate(codes.active, secretKey),
      validate(codes.refunded, secretKey),
      read(noItem, secretKey),
    ]
    for (const [index, sent] of each.entries()) {
      const answer = await from(sent)
      expect(codeOf(answer)).not.toBe('rate_limited')
      expect(answer.headers['ratelimit-policy']).toBe('"requests";q=6;w=60')
      expect(limitOf(answer)).toBe(`"requests";r=${5 - index};t=60`)
    }
    for (const sent of each) {
      const answer = await from(sent)
      expect(answer.status).toBe(429)
      expect(limitOf(answer)).toBe('"requests";r=0;t=60')
      expect(answer.headers['ratelimit-policy']).toBe('"requests";q=6;w=60')
      expect(answer.headers['retry-after']).toBe('60')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.headers.etag).toBeUndefined()
    }
  })

  test('the message is in the language of the caller, and the wait is what is left of the window', async () => {
    await times(6, read(getAccount.path, secretKey))
    now += 59_001
    for (const [language, msg] of [
      ['en', 'Too many requests'],
      ['pt-BR', 'Muitas requisições'],
    ] as const) {
      const answer = await from(read(getAccount.path, secretKey, { 'accept-language': language }))
      expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
      expect(answer.headers['retry-after']).toBe('1')
      expect(answer.text).toBe(JSON.stringify({ status: 'error', msg }))
      expect(answer.headers['content-language']).toBe(language.slice(0, 2))
    }
    now += 999
    expect((await from(read(getAccount.path, secretKey))).status).toBe(200)
  })

  test('another address and another key have limits of their own', async () => {
    await times(6, read(getAccount.path, secretKey))
    expect((await from(read(getAccount.path, secretKey))).status).toBe(429)
    expect((await from(read(getAccount.path, secretKey), 2)).status).toBe(200)
    expect((await from(read(getAccount.path, otherKey))).status).toBe(200)
  })

  test('what is answered with 304 or without a body counts as well', async () => {
    const { etag } = (await from(read(getAccount.path, secretKey))).headers
    const unchanged = await from(read(getAccount.path, secretKey, { 'if-none-match': etag! }))
    expect([unchanged.status, limitOf(unchanged)]).toEqual([304, '"requests";r=4;t=60'])
    expect(limitOf(await from({ ...read(getAccount.path, secretKey), method: 'HEAD' }))).toBe(
      '"requests";r=3;t=60',
    )
  })

  test('a refused key counts nothing and reveals nothing; then comes 429, then 403, then the parameters', async () => {
    const refused = await times(8, read(getAccount.path, expiredKey))
    for (const answer of refused) {
      expect(codeOf(answer)).toBe('expired_api_key')
      expect(limitOf(answer)).toBeUndefined()
      expect(answer.headers['ratelimit-policy']).toBeUndefined()
    }
    const forbidden = await times(7, read(getAccount.path, publishableKey))
    expect(forbidden.map(codeOf)).toEqual([...Array(6).fill('key_not_allowed'), 'rate_limited'])
    expect(forbidden.map(({ status }) => status)).toEqual([...Array(6).fill(403), 429])
    const incomplete = await times(7, read(getItem.path, secretKey))
    expect(incomplete.map(codeOf)).toEqual([...Array(6).fill('missing_parameter'), 'rate_limited'])
  })

  test('what is wrong with a request before its key is known counts nothing', async () => {
    const malformed = {
      ...validate('x', secretKey),
      body: '{"a',
      headers: { 'x-api-key': secretKey, 'content-type': 'application/json' },
    }
    expect((await times(8, malformed)).map(codeOf)).toEqual(Array(8).fill('malformed_body'))
    expect(limitOf(await from(read(getAccount.path, secretKey)))).toBe('"requests";r=5;t=60')
  })

  test.each([
    [
      'an unknown code',
      () => validate('ZZZZ-0000-unknown', secretKey),
      () => validate(codes.active, secretKey),
    ],
    ['an unknown item', () => read(noItem, secretKey), () => read(`${getItem.path}?item_id=101`, secretKey)],
  ])('past the failure limit %s is 429, and what succeeds is still given', async (_what, miss, success) => {
    const missed = await times(3, miss())
    for (const answer of missed) expect(answer.status).toBe(404)
    const limited = await from(miss())
    expect([limited.status, codeOf(limited)]).toEqual([429, 'rate_limited'])
    expect(limitOf(limited)).toBe('"failures";r=0;t=30')
    expect(limited.headers['retry-after']).toBe('30')
    const given = await from(success())
    expect([given.status, limitOf(given)]).toEqual([200, '"requests";r=2;t=60'])
    expect((await from(miss(), 2)).status).toBe(404)
    now += 30_000
    expect((await from(miss())).status).toBe(404)
  })

  test('failures of both operations count together; those of a purchase that is there, or of an empty list, do not', async () => {
    const kinds = [validate('ZZZZ', secretKey), read(noItem, secretKey), validate(codes.others, secretKey)]
    for (const sent of kinds) expect((await from(sent)).status).toBe(404)
    expect((await from(read(noItem, secretKey))).status).toBe(429)
    expect(codeOf(await from(validate(codes.refunded, secretKey)))).toBe('purchase_not_active')
    const empty = await times(5, read(listItems.path, emptyKey))
    expect(empty.map(codeOf)).toEqual(Array(5).fill('no_items'))
  })

  test('unknown keys count for their address, whichever they are; a known key is not held up', async () => {
    for (const index of [1, 2, 3])
      expect((await from(read(getAccount.path, unknownKey + index))).status).toBe(401)
    const limited = await from(validate(codes.active, unknownKey))
    expect([limited.status, codeOf(limited)]).toEqual([429, 'rate_limited'])
    expect(limited.headers['retry-after']).toBe('30')
    expect(limited.headers['www-authenticate']).toBeUndefined()
    expect((await from(read(getAccount.path, secretKey))).status).toBe(200)
    expect(codeOf(await from(read(getAccount.path, expiredKey)))).toBe('expired_api_key')
    expect((await from(read(getAccount.path, unknownKey), 2)).status).toBe(401)
  })
})

describe.each(['on', 'off'])('without limits, the fast path %s', (fastPath) => {
  test('nothing is refused and no limit is named', async () => {
    const off = { SALEPROOF_RATE_LIMIT: 'off', SALEPROOF_FAILURE_LIMIT: 'off' }
    const service = await startService({ records, env: { ...off, SALEPROOF_FAST_PATH: fastPath } })
    const asked = [
      read(getAccount.path, secretKey),
      read(noItem, secretKey),
      read(noItem, unknownKey),
      validate('Z', secretKey),
    ]
    for (let round = 0; round < 40; round++) {
      for (const sent of asked) {
        const { status, headers } = await service.request(sent)
        expect(status).not.toBe(429)
        expect([headers.ratelimit, headers['ratelimit-policy'], headers['retry-after']]).toEqual([
          undefined,
          undefined,
          undefined,
        ])
      }
    }
    await service.close()
  })

  test('of requests, those of failures still hold', async () => {
    const env = { SALEPROOF_FAILURE_LIMIT: '1/30', SALEPROOF_FAST_PATH: fastPath }
    const service = await startService({ records, env })
    expect((await service.request(read(noItem, secretKey))).status).toBe(404)
    const limited = await service.request(read(noItem, secretKey))
    expect([limited.status, limitOf(limited)]).toEqual([429, '"failures";r=0;t=30'])
    expect((await service.request(read(getAccount.path, secretKey))).status).toBe(200)
    await service.close()
  })
})
