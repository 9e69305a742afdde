import zlib from 'node:zlib'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purchaseTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, otherKey, records, secretKey } from '../support/records.ts'

const { path } = operations.validatePurchase
const code = codes.active
const expected = purchaseTexts.base.active

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const form = 'application/x-www-form-urlencoded'
const boundary = '------------------------d74496d66958873e'
const multipartType = `multipart/form-data; boundary=${boundary}`

/** As PHP's cURL writes it when it is handed an array. */
const multipart = (fields: readonly (readonly [string, string])[]) =>
  `${fields.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${boundary}--\r\n`

const post = (type: string | undefined, body: string | Uint8Array, { query = '', headers = {} } = {}) =>
  service.request({
    method: 'POST',
    path: `${path}${query}`,
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    body,
  })

const both = { api_key: secretKey, purchase_code: code }
const query = `?${new URLSearchParams(both)}`

describe('the five ways to send a POST', () => {
  test('JSON', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/vnd.api+json'])
      expect((await post(type, JSON.stringify(both))).text).toBe(expected)
    expect((await post('application/json', `\ufeff ${JSON.stringify(both)}\n`)).text).toBe(expected)
  })

  test('form', async () => {
    for (const type of [form, `${form}; charset=utf-8`, `${form};charset=ISO-8859-1`])
      expect((await post(type, query.slice(1))).text).toBe(expected)
  })

  test('multipart', async () => {
    expect((await post(multipartType, multipart(Object.entries(both)))).text).toBe(expected)
    const data = new FormData()
    for (const [name, value] of Object.entries(both)) data.set(name, value)
    data.set('avatar', new Blob([new Uint8Array([0, 255, 254])]), 'a.png')
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', body: data })
    expect(await answer.text()).toBe(expected)
  })

  test('query, with no body of whatever type', async () => {
    for (const type of [undefined, 'application/json', form, multipartType, 'text/plain', 'nonsense'])
      expect((await post(type, '', { query })).text).toBe(expected)
    expect((await post('text/plain', '', { query, headers: { 'content-encoding': 'zstd' } })).text).toBe(
      expected,
    )
  })

  test('mixed', async () => {
    const headers = { authorization: `Bearer ${secretKey}` }
    expect((await post('application/json', `{"purchase_code":"${code}"}`, { headers })).text).toBe(expected)
    expect((await post(form, `purchase_code=${code}`, { query: `?api_key=${secretKey}` })).text).toBe(
      expected,
    )
    expect((await post(form, `api_key=${secretKey}`, { query: `?purchase_code=${code}` })).text).toBe(
      expected,
    )
    const shaped = await post(form, query.slice(1), { query: `${query}&shape=extended`, headers })
    expect(shaped.text).toBe(purchaseTexts.extended.active)
  })
})

describe('encodings', () => {
  const json = Buffer.from(JSON.stringify(both))
  const encoders = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
    'bare deflate': zlib.deflateRawSync,
    GZIP: zlib.gzipSync,
    identity: (bytes: Buffer) => bytes,
  }
  test.each(Object.entries(encoders))('%s is taken, for every type', async (name, encode) => {
    const headers = { 'content-encoding': name.replace('bare ', '') }
    expect((await post('application/json', encode(json), { headers })).text).toBe(expected)
    expect((await post(form, encode(Buffer.from(query.slice(1))), { headers })).text).toBe(expected)
    const parts = Buffer.from(multipart(Object.entries(both)))
    expect((await post(multipartType, encode(parts), { headers })).text).toBe(expected)
  })

  test.each(['gzip', 'deflate', 'br'])('a corrupt %s body is malformed', async (encoding) => {
    const whole = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }[encoding]!(
      json,
    )
    for (const bytes of [json, whole.subarray(0, -4), Buffer.concat([Buffer.from([7]), whole])]) {
      const answer = await post('application/json', bytes, { headers: { 'content-encoding': encoding } })
      expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'malformed_body'])
    }
  })

  test.each(['zstd', 'compress', 'gzip, gzip', 'x', '__proto__'])('%s is not taken', async (encoding) => {
    const answer = await post('application/json', json, { headers: { 'content-encoding': encoding } })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([415, 'unsupported_media_type'])
  })
})

describe('size', () => {
  const padded = (length: number) =>
    `{"api_key":"${secretKey}","purchase_code":"${code}","x":"${'x'.repeat(length)}"}`
  const exact = padded(16 * 1024 - padded(0).length)

  test('16 KiB are taken, one byte more is not', async () => {
    expect(exact).toHaveLength(16 * 1024)
    expect((await post('application/json', exact)).text).toBe(expected)
    const more = await post('application/json', `${exact} `)
    expect([more.status, more.headers['x-error-code']]).toEqual([413, 'body_too_large'])
  })

  test.each(['gzip', 'deflate', 'br'])('the same holds after %s was undone', async (encoding) => {
    const encode = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }[encoding]!
    const headers = { 'content-encoding': encoding }
    expect((await post('application/json', encode(Buffer.from(exact)), { headers })).text).toBe(expected)
    for (const length of [1, 10_000_000]) {
      const body = encode(Buffer.from(exact + ' '.repeat(length)))
      const more = await post('application/json', body, { headers })
      expect([more.status, more.headers['x-error-code']]).toEqual([413, 'body_too_large'])
    }
  })

  test('a body of unknown length is counted while it comes', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    expect((await post('application/json', exact, { headers })).text).toBe(expected)
    const more = await post('application/json', 'x'.repeat(16 * 1024 + 1), { headers })
    expect([more.status, more.headers['x-error-code']]).toEqual([413, 'body_too_large'])
  })
})

describe('types', () => {
  const others = [
    'text/plain',
    'application/xml',
    'application/jsonp',
    'text/json',
    'multipart/mixed; boundary=x',
    '',
  ]
  test.each([undefined, ...others])('%s is not taken', async (type) => {
    const answer = await post(type, JSON.stringify(both))
    expect([answer.status, answer.headers['x-error-code']]).toEqual([415, 'unsupported_media_type'])
    expect(answer.text).toBe('{"status":"error","msg":"Invalid request"}')
  })

  const bodies: Record<string, [string, string | Uint8Array]> = {
    'a list': ['application/json', '[]'],
    null: ['application/json', 'null'],
    'a text': ['application/json', '"x"'],
    'white space': ['application/json', '  '],
    'half an object': ['application/json', '{"api_key":'],
    'a comment': ['application/json', '{} // no'],
    'two objects': ['application/json', '{}{}'],
    'JSON that is not UTF-8': ['application/json', new Uint8Array([123, 34, 255, 34, 58, 49, 125])],
    'a form that is not UTF-8': [form, new Uint8Array([97, 61, 255])],
    'multipart without a boundary': ['multipart/form-data', multipart([])],
    'multipart of another boundary': ['multipart/form-data; boundary=x', multipart(Object.entries(both))],
    'multipart without an end': [multipartType, multipart(Object.entries(both)).slice(0, -60)],
    'multipart that ends in a file': [multipartType, multipart([['a"; filename="b', 'c']]).slice(0, -60)],
    'multipart that is not UTF-8': [
      multipartType,
      Buffer.from(multipart([['purchase_code', '\xff']]), 'latin1'),
    ],
  }
  test.each(Object.entries(bodies))('%s is malformed', async (_name, [type, body]) => {
    const answer = await post(type, body, { query })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'malformed_body'])
  })
})

describe('a parameter more than once', () => {
  const twice = (fields: string) =>
    post('application/json', `{${fields}}`, { query: `?api_key=${secretKey}` })
  const codeOf = async (answer: ReturnType<typeof twice>) => (await answer).headers['x-error-code']

  test('with one value is fine', async () => {
    expect((await post(form, `${query.slice(1)}&${query.slice(1)}`, { query })).text).toBe(expected)
    expect((await twice(`"purchase_code":"${code}","purchase_code":" ${code} "`)).text).toBe(expected)
    const headers = { authorization: `Bearer ${secretKey}`, 'x-api-key': secretKey }
    expect((await post('application/json', JSON.stringify(both), { query, headers })).text).toBe(expected)
  })

  test('with different values is refused', async () => {
    expect(await codeOf(twice(`"purchase_code":"${code}","purchase_code":"x"`))).toBe('invalid_parameter')
    expect(await codeOf(twice(`"purchase\\u005fcode":"x","purchase_code":"${code}"`))).toBe(
      'invalid_parameter',
    )
    expect(await codeOf(twice(`"api_key":"${otherKey}","purchase_code":"${code}"`))).toBe(
      'conflicting_api_keys',
    )
    expect(await codeOf(post(form, 'purchase_code=x', { query }))).toBe('invalid_parameter')
    expect(await codeOf(post(form, 'shape=base', { query: `${query}&shape=extended` }))).toBe(
      'invalid_parameter',
    )
    const parts = multipart([...Object.entries(both), ['purchase_code', 'x']])
    expect(await codeOf(post(multipartType, parts))).toBe('invalid_parameter')
  })

  test('lists, objects and files are no codes', async () => {
    expect(await codeOf(post(form, `purchase_code[]=${code}`, { query: `?api_key=${secretKey}` }))).toBe(
      'invalid_parameter',
    )
    const file = multipart([['purchase_code"; filename="a', code]])
    expect(await codeOf(post(multipartType, file, { query: `?api_key=${secretKey}` }))).toBe(
      'invalid_parameter',
    )
  })
})

test('fields that the operation does not know are ignored, whatever they are', async () => {
  const nested = `${'['.repeat(3000)}${']'.repeat(3000)}`
  const deeper = `${'{"purchase_code":'.repeat(300)}0${'}'.repeat(300)}`
  const odd = `"item_id":[1,"x"],"item_id":"007","__proto__":{"a":1},"constructor":null,"":1.5e3,"a":${nested},"b":${deeper}`
  const answer = await post('application/json', `{${odd},"api_key":"${secretKey}","purchase_code":"${code}"}`)
  expect(answer.text).toBe(expected)
  expect((await post(form, `${query.slice(1)}&item_id=1&item_id=2&__proto__=1&toString=2&=&&%`)).text).toBe(
    expected,
  )
})
