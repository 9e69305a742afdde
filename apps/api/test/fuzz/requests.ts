import { gzipSync } from 'node:zlib'
import { operationList, operations } from '@saleproof/schema'
import fc from 'fast-check'
import {
  boundKey,
  codes,
  emptyKey,
  expiredKey,
  otherKey,
  portugueseKey,
  publishableKey,
  revokedKey,
  secretKey,
} from '../support/records.ts'

export const keys = [
  secretKey,
  otherKey,
  emptyKey,
  publishableKey,
  boundKey,
  expiredKey,
  revokedKey,
  portugueseKey,
]

const anyKey = fc.constantFrom(...keys, '', 'sp_key_of_nobody_at_all', 'ünïcode-key')
const anyCode = fc.constantFrom(...Object.values(codes), ' AAAA–1111–active–image​', '', 'nobody', 'a\u0000b')
const anyItem = fc.constantFrom('101', '102', '201', '9007199254740991', '0', '007', '1e3', '', '-1', 'x')
const anyShape = fc.constantFrom('base', 'extended', '', 'round')

const pair = fc.oneof(
  fc.tuple(fc.constantFrom('api_key', 'API_KEY'), anyKey),
  fc.tuple(fc.constantFrom('purchase_code', 'purchase_code[]'), anyCode),
  fc.tuple(fc.constantFrom('item_id', 'item_id[]', 'item%5Fid'), anyItem),
  fc.tuple(fc.constant('shape'), anyShape),
  fc.tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 })),
)
const pairs = fc.array(pair, { maxLength: 4 })

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...operationList.map((operation) => operation.path)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      '/admin/import',
      '/docs',
      '/docs/errors',
      '/openapi.json',
      '/console',
      '/console/api/session',
      '/docs/../bin',
      '//api//items/all',
      '/api/items/item/',
      '*',
    ),
  },
)

/** Lines of a head by their name, with values that mean something. */
const headerKinds = [
  anyKey.map((key) => `Authorization: Bearer ${key}`),
  anyKey.map((key) => `X-Api-Key: ${key}`),
  fc
    .constantFrom('pt', 'pt-BR,en;q=0.5', '*', 'en;q=0', ';;', 'de, pt;q=0.001')
    .map((text) => `Accept-Language: ${text}`),
  fc.constantFrom('gzip', 'br', 'zstd, gzip', 'identity;q=0', '*').map((text) => `Accept-Encoding: ${text}`),
  fc.constantFrom('*', '"x"', 'W/"x", "y"').map((text) => `If-None-Match: ${text}`),
  fc.constantFrom('an-id', 'x'.repeat(65), 'a b').map((text) => `X-Request-Id: ${text}`),
  fc.constantFrom('100-continue', 'a miracle').map((text) => `Expect: ${text}`),
  fc.constantFrom('close', 'keep-alive', 'upgrade').map((text) => `Connection: ${text}`),
  fc.constantFrom('10.0.0.1', '::1, 10.0.0.2').map((text) => `X-Forwarded-For: ${text}`),
]

export const headerArbitrary = fc.oneof(...headerKinds)

/** A usual request with one header twice. That hardly comes up by chance, and which of the two counts is easily got wrong. */
export const repeatedHeaderArbitrary = fc
  .oneof(...headerKinds.map((kind) => fc.tuple(kind, kind)))
  .map((lines) =>
    Buffer.from(
      `GET ${operations.getAccount.path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${secretKey}\r\n${lines.join('\r\n')}\r\n\r\n`,
    ),
  )

const form = (fields: readonly (readonly [string, string])[]) =>
  new URLSearchParams(fields as [string, string][]).toString()

const part = ([name, value]: readonly [string, string]) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

const body = fc
  .tuple(pairs, fc.constantFrom('json', 'form', 'multipart', 'gzip', 'broken', 'text'))
  .map(([fields, kind]) => {
    const json = JSON.stringify(Object.fromEntries(fields))
    switch (kind) {
      case 'json':
        return { headers: ['Content-Type: application/json; charset=utf-8'], bytes: Buffer.from(json) }
      case 'form':
        return {
          headers: ['Content-Type: application/x-www-form-urlencoded'],
          bytes: Buffer.from(form(fields)),
        }
      case 'multipart':
        return {
          headers: ['Content-Type: multipart/form-data; boundary=b'],
          bytes: Buffer.from(`${fields.map(part).join('')}--b--\r\n`),
        }
      case 'gzip':
        return {
          headers: ['Content-Type: application/json', 'Content-Encoding: gzip'],
          bytes: gzipSync(json),
        }
      // Cut short: few changes by chance leave the encoding, the length and the path as they have to be to get as far as this.
      case 'broken':
        return {
          headers: ['Content-Type: application/json', 'Content-Encoding: gzip'],
          bytes: gzipSync(json).subarray(0, -9),
        }
      default:
        return { headers: ['Content-Type: text/plain'], bytes: Buffer.from('text') }
    }
  })

const chunkedBody = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])

/** Requests as they go over the wire, of every kind that callers send, and of some that none should. */
export const requestArbitrary = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'PROPFIND'),
    path,
    query: pairs,
    headers: fc.array(headerArbitrary, { maxLength: 3 }),
    key: fc.boolean(),
    body: fc.option(body, { nil: undefined }),
    chunked: fc.boolean(),
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
  })
  .map(({ method, path: target, query, headers, key, body: sent, chunked, version }) => {
    const bytes = sent?.bytes ?? Buffer.alloc(0)
    const framing = chunked && sent ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`
    const lines = [
      `${method} ${target}${query.length ? `?${form(query)}` : ''} HTTP/${version}`,
      'Host: localhost',
      ...(key ? [`X-Api-Key: ${secretKey}`] : []),
      ...headers,
      ...(sent ? [...sent.headers, framing] : []),
    ]
    const payload = chunked && sent ? chunkedBody(bytes) : bytes
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), payload])
  })
