import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountText } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { otherKey, portugueseKey, publishableKey, records, secretKey } from '../support/records.ts'

const { path } = operations.getAccount

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const withKey = (headers: Record<string, string | string[]>, query = '') =>
  service.request({ path: `${path}${query}`, headers })

test('answers the account that owns the key, byte for byte', async () => {
  const answer = await withKey({ 'x-api-key': secretKey })
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(accountText)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(accountText)))
})

test('is the same in both shapes and in every language', async () => {
  for (const shape of ['base', 'extended']) {
    const answer = await withKey({ 'x-api-key': secretKey, 'accept-language': 'pt' }, `?shape=${shape}`)
    expect(answer.text).toBe(accountText)
    expect(answer.headers['content-language']).toBe('pt')
  }
})

test('answers the owner of each workspace', async () => {
  const other = await withKey({ 'x-api-key': otherKey })
  expect(JSON.parse(other.text).data.username).toBe('bob')
  const second = await withKey({ 'x-api-key': portugueseKey })
  expect(second.text).toBe(accountText)
})

describe('the places of a key', () => {
  const query = `?api_key=${secretKey}`
  const bearer = { authorization: `Bearer ${secretKey}` }
  const places: Record<string, [Record<string, string | string[]>, string?]> = {
    bearer: [bearer],
    'bearer in lower case': [{ authorization: `bearer ${secretKey}` }],
    'bearer in capitals, with more space': [{ authorization: `BEARER   ${secretKey} ` }],
    'X-Api-Key': [{ 'x-api-key': secretKey }],
    query: [{}, query],
    'query, with white space around it': [{}, `?api_key=%20${secretKey}%09%E2%80%83`],
    'twice in the query': [{}, `${query}&api_key=${secretKey}`],
    'twice as a header': [{ 'x-api-key': [secretKey, secretKey] }],
    'all together': [{ ...bearer, 'x-api-key': secretKey }, query],
    'beside the Basic of a proxy': [{ authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': secretKey }],
    'beside empty ones': [{ authorization: 'Bearer', 'x-api-key': '' }, `${query}&api_key=`],
    'beside parameters of others': [{}, `${query}&item_id=x&purchase_code=1&purchase_code=2&utm=1&a[b]=c`],
  }
  for (const [name, [headers, query]] of Object.entries(places)) {
    test(name, async () => {
      const answer = await withKey(headers, query)
      expect(answer.text).toBe(accountText)
    })
  }
})

describe('refusals', () => {
  const cases: Record<string, [Record<string, string | string[]>, string, number, string]> = {
    'no key': [{}, '', 401, 'missing_api_key'],
    'an empty key': [{ 'x-api-key': ' ' }, '?api_key=', 401, 'missing_api_key'],
    'Basic alone': [{ authorization: `Basic ${secretKey}` }, '', 401, 'missing_api_key'],
    'an unknown key': [{ 'x-api-key': `${secretKey}x` }, '', 401, 'invalid_api_key'],
    'another case': [{ 'x-api-key': secretKey.toUpperCase() }, '', 401, 'invalid_api_key'],
    'two keys': [{ 'x-api-key': secretKey }, `?api_key=${otherKey}`, 400, 'conflicting_api_keys'],
    'two keys of one kind': [{ 'x-api-key': [secretKey, otherKey] }, '', 400, 'conflicting_api_keys'],
    'a publishable key': [{ 'x-api-key': publishableKey }, '', 403, 'key_not_allowed'],
    'a list of keys': [{}, `?api_key[]=${secretKey}`, 400, 'invalid_parameter'],
    'an object of keys': [{}, `?api_key[a]=${secretKey}`, 400, 'invalid_parameter'],
    'a key with U+0000': [{}, '?api_key=a%00b', 400, 'invalid_parameter'],
    'a key of 256 characters': [{}, `?api_key=${'k'.repeat(256)}`, 400, 'invalid_parameter'],
    'a key of 255 characters': [{}, `?api_key=${'k'.repeat(255)}`, 401, 'invalid_api_key'],
    'an unknown shape': [{ 'x-api-key': secretKey }, '?shape=Base', 400, 'invalid_parameter'],
    'two shapes': [{ 'x-api-key': secretKey }, '?shape=base&shape=extended', 400, 'invalid_parameter'],
  }
  for (const [name, [headers, query, status, code]] of Object.entries(cases)) {
    test(name, async () => {
      const answer = await withKey(headers, query)
      expect([answer.status, answer.headers['x-error-code']]).toEqual([status, code])
      expect(answer.text).toBe('{"status":"error","msg":"Invalid request"}')
      expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
    })
  }
})

test('a body is not looked at', async () => {
  const answer = await service.request({
    path,
    headers: { 'x-api-key': secretKey, 'content-type': 'application/json', 'content-length': '17' },
    body: '{"api_key":"no"}}',
  })
  expect(answer.text).toBe(accountText)
})

test('the request target may be an absolute URL', async () => {
  const answer = await service.raw(
    `GET http://h${path}?shape=base HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer.text).toBe(accountText)
})
