import { operationList, operations } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../support/broken-service.ts'
import { type Received, receive, type Sent } from '../support/client.ts'
import { onPostgres } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import {
  boundKey,
  codes,
  emptyKey,
  expiredKey,
  otherKey,
  publishableKey,
  records,
  revokedKey,
  secretKey,
} from '../support/records.ts'

const { path } = operations.validatePurchase
const expiredPublishable = 'sp_test_publishable_key_that_expired'
const unknownKey = 'sp_test_key_that_nobody_has'
const key = (name: string, value: string, more: object) => ({
  type: 'api_key',
  workspace: 'ada-studio',
  name,
  key: value,
  ...more,
})
const more = [
  key('old plugin', expiredPublishable, { publishable: true, expires_at: '2024-01-01T00:00:00Z' }),
]

let service: TestService
beforeAll(async () => {
  service = await startService({ records: [...records, ...more] })
})
afterAll(() => service.close())

const ask = (sent: Partial<Sent>, { url } = service): Promise<Received> =>
  receive(url, { method: 'POST', path, ...sent })

const json = (body: object) => JSON.stringify(body)
const validation = (
  headers: Record<string, string | string[]>,
  body = json({ purchase_code: codes.active }),
) => ({
  headers: { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}`, ...headers },
  body,
})
const withKey = (apiKey: string, code: string = codes.active): Partial<Sent> =>
  validation({ 'x-api-key': apiKey }, json({ purchase_code: code }))

/** What an answer says to pages of other origins. */
const corsOf = ({ headers }: Pick<Received, 'headers'>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))
const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Error-Code, X-Request-Id, X-Purchase-Pass, Retry-After, RateLimit, RateLimit-Policy, Link',
}

describe('pages of any origin can read', () => {
  const answers: [name: string, status: number, sent: Partial<Sent>][] = [
    ['a success', 200, withKey(publishableKey)],
    ['a success in the header Authorization', 200, validation({ authorization: `Bearer ${publishableKey}` })],
    ['a success of a bound key', 200, withKey(boundKey)],
    ['an unknown code', 404, withKey(publishableKey, 'ZZZZ-0000')],
    ['a refunded purchase', 404, withKey(publishableKey, codes.refunded)],
    ['a missing code', 400, validation({ 'x-api-key': publishableKey }, '{}')],
    ['a missing key', 401, validation({})],
    ['an unknown key', 401, withKey(unknownKey)],
    ['an expired publishable key', 401, withKey(expiredPublishable)],
    ['two publishable keys', 400, { ...withKey(publishableKey), path: `${path}?api_key=${boundKey}` }],
    [
      'a publishable and an unknown key',
      400,
      { ...withKey(publishableKey), path: `${path}?api_key=${unknownKey}` },
    ],
    ['a key that cannot be one', 400, { ...validation({}), path: `${path}?api_key=a%00` }],
    ['a malformed body', 400, validation({ 'x-api-key': publishableKey }, '{')],
    ['a body that is too large', 413, validation({ 'x-api-key': publishableKey }, ' '.repeat(16_385))],
    ['another type', 415, validation({ 'x-api-key': publishableKey, 'content-type': 'text/plain' })],
    ['headers that are too large', 431, validation({ 'x-api-key': publishableKey, x: 'x'.repeat(17_000) })],
    ['a URL that is too long', 414, { ...withKey(publishableKey), path: `${path}?x=${'x'.repeat(9000)}` }],
    ['another expectation', 417, validation({ 'x-api-key': publishableKey, expect: 'x' })],
  ]

  test.each(answers)('%s', async (_name, status, sent) => {
    const answer = await ask(sent)
    expect([answer.status, corsOf(answer)]).toEqual([status, readable])
  })

  test('a body that the parser refuses', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${publishableKey}\r\nContent-Type: application/json`
    const answer = await service.raw(
      `${head}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n`,
    )
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'malformed_request'])
    expect(corsOf(answer)).toEqual(readable)
  })

  test('a 429', async () => {
    const limited = await startService({ records, env: { SALEPROOF_RATE_LIMIT: '1/60' } })
    await ask(withKey(publishableKey), limited)
    const answer = await ask(withKey(publishableKey), limited)
    await limited.close()
    expect([answer.status, corsOf(answer)]).toEqual([429, readable])
  })

  test('a 429 of unknown keys', async () => {
    const limited = await startService({ records, env: { SALEPROOF_FAILURE_LIMIT: '1/60' } })
    await ask(withKey(unknownKey), limited)
    const answer = await ask(withKey(unknownKey), limited)
    await limited.close()
    expect([answer.status, corsOf(answer)]).toEqual([429, readable])
  })
})

describe('no page can read', () => {
  const mixed = `${path}?api_key=${publishableKey}`
  const answers: [name: string, status: number, sent: Partial<Sent>][] = [
    ['a success of a secret key', 200, withKey(secretKey)],
    ['a secret key in the query', 200, { ...validation({}), path: `${path}?api_key=${secretKey}` }],
    [
      'a secret key in the body',
      200,
      validation({}, json({ api_key: secretKey, purchase_code: codes.active })),
    ],
    [
      'a secret key with white space around it',
      200,
      { ...validation({}), path: `${path}?api_key=%20${secretKey}+` },
    ],
    ['an unknown code', 404, withKey(secretKey, 'ZZZZ-0000')],
    ['a missing code', 400, validation({ 'x-api-key': secretKey }, '{}')],
    ['an expired secret key', 401, withKey(expiredKey)],
    ['a revoked secret key', 401, withKey(revokedKey)],
    ['a secret key of another workspace', 404, withKey(otherKey)],
    ['a secret key of an empty workspace', 404, withKey(emptyKey)],
    ['a publishable key with a secret one', 400, { ...withKey(secretKey), path: mixed }],
    [
      'an unknown key with a secret one',
      400,
      { ...withKey(secretKey), path: `${path}?api_key=${unknownKey}` },
    ],
    ['a publishable key with a revoked secret one', 400, { ...withKey(revokedKey), path: mixed }],
    ['two headers, one with a secret key', 400, validation({ 'x-api-key': [publishableKey, secretKey] })],
    ['a secret key in brackets', 400, { ...validation({}), path: `${path}?api_key[]=${secretKey}` }],
    ['a malformed body', 400, validation({ 'x-api-key': secretKey }, '{')],
    ['a body that is too large', 413, validation({ 'x-api-key': secretKey }, ' '.repeat(16_385))],
    ['another type', 415, validation({ 'x-api-key': secretKey, 'content-type': 'text/plain' })],
    ['headers that are too large', 431, validation({ 'x-api-key': secretKey, x: 'x'.repeat(17_000) })],
    [
      'more keys than are looked up',
      400,
      validation({ 'x-api-key': Array.from({ length: 20 }, (_, n) => `${unknownKey}${n}`) }),
    ],
  ]

  test.each(answers)('%s', async (_name, status, sent) => {
    const answer = await ask(sent)
    expect([answer.status, corsOf(answer)]).toEqual([status, {}])
  })

  test('a 429 of a secret key', async () => {
    const limited = await startService({ records, env: { SALEPROOF_RATE_LIMIT: '1/60' } })
    await ask(withKey(secretKey), limited)
    const answer = await ask(withKey(secretKey), limited)
    await limited.close()
    expect([answer.status, corsOf(answer)]).toEqual([429, {}])
  })

  test.each(operationList.filter(({ method }) => method === 'GET'))('$name', async (operation) => {
    for (const headers of [{}, { 'x-api-key': publishableKey }, { 'x-api-key': secretKey }]) {
      const answer = await ask({
        method: 'GET',
        path: operation.path,
        headers: { origin: 'null', ...headers },
      })
      expect(corsOf(answer)).toEqual({})
    }
  })

  test.each(['GET', 'PUT', 'HEAD'])('%s of the validation, which is another operation', async (method) => {
    const answer = await ask({ method, headers: { origin: 'null', 'x-api-key': publishableKey } })
    expect([answer.status, corsOf(answer)]).toEqual([405, {}])
  })
})

test('wherever keys are sent, one that is secret hides the response', async () => {
  const secret = [secretKey, otherKey, expiredKey, revokedKey]
  const key = fc.constantFrom(...secret, publishableKey, boundKey, expiredPublishable, unknownKey, '')
  const sent = fc.record({
    bearer: fc.option(key),
    header: fc.option(key),
    query: fc.option(key),
    body: fc.option(key),
    type: fc.constantFrom('application/x-www-form-urlencoded', 'text/plain'),
    code: fc.constantFrom(codes.active, 'ZZZZ-0000', ''),
  })
  const seen = { hidden: 0, readable: 0 }
  const property = fc.asyncProperty(sent, async ({ bearer, header, query, body: inBody, type, code }) => {
    const text = new URLSearchParams({ purchase_code: code, ...(inBody !== null && { api_key: inBody }) })
    const headers: Record<string, string> = { 'content-type': type }
    if (bearer !== null) headers.authorization = `Bearer ${bearer}`
    if (header !== null) headers['x-api-key'] = header
    const search = query === null ? '' : `?api_key=${query}`
    const answer = await ask({ path: path + search, ...validation(headers, `${text}`) })
    // A body of another type is not read.
    const given = [bearer, header, query, ...(type === 'text/plain' ? [] : [inBody])]
    const isHidden = given.some((each) => each !== null && secret.includes(each))
    expect(corsOf(answer)).toEqual(isHidden ? {} : readable)
    seen[isHidden ? 'hidden' : 'readable']++
  })
  await fc.assert(property, { numRuns: 400 })
  expect(Math.min(seen.hidden, seen.readable)).toBeGreaterThan(50)
})

describe('while the database fails', () => {
  /** The answer of a service without some tables, and its status. */
  const without = async (tables: string, sent: Partial<Sent>) => {
    const own = await startService({ records })
    await sql(own, tables)
    const answer = await ask(sent, own)
    await own.close()
    return [answer.status, corsOf(answer)]
  }
  const noKeys = 'ALTER TABLE "ApiKey" RENAME TO a'
  const noPurchases = 'ALTER TABLE "Purchase" RENAME TO b'

  test('a key that it does not speak for is not known to be secret', async () => {
    for (const apiKey of [publishableKey, secretKey])
      expect(await without(noKeys, withKey(apiKey))).toEqual([503, readable])
  })

  test('the same holds for errors that need no database', async () => {
    const type = { 'x-api-key': secretKey, 'content-type': 'text/plain' }
    expect(await without(noKeys, validation(type))).toEqual([415, readable])
  })

  test('a page can read that of a publishable key', async () => {
    expect(await without(noPurchases, withKey(publishableKey))).toEqual([503, readable])
  })

  test('a key that it has spoken for stays secret', async () => {
    // With PostgreSQL the fast path reads key and purchase with one statement, which fails as a whole: it speaks for none.
    expect(await without(noPurchases, withKey(secretKey))).toEqual([503, onPostgres ? readable : {}])
  })
})

describe('a preflight', () => {
  const asks = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  const allowed = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers':
      'Authorization, X-Api-Key, Content-Type, Accept-Language, X-Request-Id, Prefer',
    'access-control-max-age': '7200',
  }
  const preflight = (more: Partial<Sent> = {}, own = service) =>
    ask({ method: 'OPTIONS', headers: asks, ...more }, own)

  test.each([
    ['for a validation', {}],
    ['from a page without an origin', { headers: { ...asks, origin: 'null' } }],
    [
      'with the headers that it asks for',
      { headers: { ...asks, 'access-control-request-headers': 'authorization' } },
    ],
    [
      'for another method, which it does not allow',
      { headers: { ...asks, 'access-control-request-method': 'PUT' } },
    ],
    ['with a key in the query, which is not looked at', { path: `${path}?api_key=${secretKey}` }],
  ])('is 204: %s', async (_name, sent) => {
    const answer = await preflight(sent)
    expect([answer.status, answer.bytes.length, corsOf(answer)]).toEqual([204, 0, allowed])
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
  })

  test('is asked for below the prefix of PUBLIC_URL too', async () => {
    const own = await startService({ env: { PUBLIC_URL: 'https://shop.example/saleproof' } })
    const found = [await preflight({}, own), await preflight({ path: `/saleproof${path}` }, own)]
    const answer = await ask({ ...withKey(unknownKey), path: `/saleproof${path}` }, own)
    const tooLarge = validation({ x: 'x'.repeat(17_000) })
    const early = await ask({ ...tooLarge, path: `/saleproof${path}` }, own)
    await own.close()
    expect(found.map(({ status }) => status)).toEqual([204, 204])
    expect([answer.status, corsOf(answer)]).toEqual([401, readable])
    expect([early.status, corsOf(early)]).toEqual([431, readable])
  })

  test('is neither counted by a limit nor asks the database', async () => {
    const own = await startService({
      env: { SALEPROOF_RATE_LIMIT: '1/60', SALEPROOF_FAILURE_LIMIT: '1/60' },
      prisma: false,
    })
    for (let count = 0; count < 5; count++) expect((await preflight({}, own)).status).toBe(204)
    await own.close()
  })

  const refused: [name: string, sent: Partial<Sent>][] = [
    ['without Origin', { headers: { 'access-control-request-method': 'POST' } }],
    ['without Access-Control-Request-Method', { headers: { origin: 'null' } }],
    ...operationList
      .filter(({ method }) => method === 'GET')
      .map((operation): [string, Partial<Sent>] => [`of ${operation.name}`, { path: operation.path }]),
    ['of another path', { path: '/console/api/session' }],
  ]
  test.each(refused)('is 405 as any other OPTIONS: %s', async (_name, sent) => {
    const answer = await preflight(sent)
    expect([answer.status, corsOf(answer)]).toEqual([405, {}])
  })
})
