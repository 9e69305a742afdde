import { connect } from 'node:net'
import zlib from 'node:zlib'
import { operationList, operations } from '@saleproof/schema'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAnswers, type Sent } from '../support/client.ts'
import { startService, type TestService } from '../support/harness.ts'
import { checkAgainstOpenApi } from '../support/openapi-check.ts'
import {
  boundKey,
  codes,
  expiredKey,
  otherKey,
  publishableKey,
  records,
  secretKey,
} from '../support/records.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const often = { numRuns: 400 }

const key = fc.constantFrom(
  secretKey,
  secretKey,
  otherKey,
  publishableKey,
  boundKey,
  expiredKey,
  'nobody',
  '',
)
const value = fc.oneof(
  key,
  fc.constantFrom(...Object.values(codes), '101', '102', '5', '1e3', 'base', 'extended', ''),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme' }),
)
const name = fc.oneof(
  fc.constantFrom(
    'api_key',
    'item_id',
    'purchase_code',
    'shape',
    'item_id[]',
    'shape[a]',
    '__proto__',
    'constructor',
  ),
  fc.string(),
)
const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 })

const encoded = (list: readonly (readonly [string, string])[]) =>
  list.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&')

const mangled = fc.string({
  unit: fc.constantFrom('%', '&', '=', '+', '[', ']', 'a', '0', '/', '\\', '~', '^', '"'),
  maxLength: 40,
})
const query = fc.oneof(pairs.map(encoded), mangled)
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...operationList.map((operation) => operation.path)) },
  { weight: 1, arbitrary: fc.constantFrom('/', '/healthz', '/readyz', '/api//items/all', '/docs/errors') },
  { weight: 1, arbitrary: mangled.map((text) => `/${text}`) },
)
const method = fc.constantFrom(
  'GET',
  'GET',
  'POST',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'SEARCH',
)

const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xfe }).map((code) => String.fromCharCode(code === 0x7f ? 0xff : code)),
})
const listed = (...texts: string[]) => fc.oneof(fc.constantFrom(...texts), headerValue)
const header = fc.oneof(
  fc.tuple(fc.constant('x-api-key'), fc.oneof(key, headerValue)),
  fc.tuple(
    fc.constant('authorization'),
    fc.oneof(
      key.map((text) => `Bearer ${text}`),
      headerValue,
    ),
  ),
  fc.tuple(fc.constant('accept-language'), listed('pt-BR', 'en;q=0', '*;q=x', ',,;;')),
  fc.tuple(fc.constant('accept-encoding'), listed('gzip', '*;q=0', 'br;q=2', 'zstd, gzip;q=')),
  fc.tuple(fc.constant('if-none-match'), listed('*', '"a"', 'W/')),
  fc.tuple(
    fc.constantFrom('x-request-id', 'x-forwarded-for', 'x-forwarded-host', 'cookie', 'range', 'if-match'),
    headerValue,
  ),
  fc.tuple(fc.constant('expect'), listed('100-continue')),
)

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain',
  '',
]
const type = fc.oneof(
  fc.constantFrom(...types),
  headerValue.map((text) => `${types[0]};${text}`),
  headerValue,
)
const multipart = (list: readonly (readonly [string, string])[]) =>
  `${list.map(([field, text]) => `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`).join('')}--b--\r\n`
const text = fc.oneof(
  fc.json({ maxDepth: 4 }),
  pairs.map((list) => JSON.stringify(Object.fromEntries(list))),
  pairs.map(encoded),
  pairs.map(multipart),
)
/** A body that is right, cut off, changed in one byte, or noise. */
const bytes = fc.oneof(
  text.map((whole) => Buffer.from(whole)),
  fc.tuple(text, fc.nat()).map(([whole, at]) => Buffer.from(whole).subarray(0, at % (whole.length + 1))),
  fc.tuple(text, fc.nat(), fc.nat(255)).map(([whole, at, byte]) => {
    const changed = Buffer.from(whole)
    if (changed.length) changed[at % changed.length] = byte
    return changed
  }),
  fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
)
const encodings = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync } as const
const coded = fc
  .tuple(bytes, fc.constantFrom(undefined, undefined, 'gzip', 'deflate', 'br', 'zstd'), fc.boolean())
  .map(([raw, encoding, honest]) => ({
    encoding,
    body: honest && encoding && encoding !== 'zstd' ? encodings[encoding as 'gzip'](raw) : raw,
  }))

const request: fc.Arbitrary<Sent> = fc
  .record({ method, path, query, headers: fc.array(header, { maxLength: 5 }), type, coded })
  .map(({ coded: { encoding, body }, ...sent }) => ({
    method: sent.method,
    path: encodeURI(`${sent.path}?${sent.query}`.toWellFormed()).replaceAll('%25', '%'),
    headers: {
      ...Object.fromEntries(sent.headers),
      ...(sent.method !== 'GET' && sent.type && { 'content-type': sent.type }),
      ...(encoding && { 'content-encoding': encoding }),
    },
    ...(sent.method !== 'GET' && sent.method !== 'HEAD' && sent.method !== 'TRACE' && { body }),
  }))

test('no request gives a 5xx or an answer that the OpenAPI document does not describe', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      // Every answer is checked against the document by `request` itself.
      const { status } = await service.request(sent)
      expect(status).toBeLessThan(500)
      expect(status).toBeGreaterThanOrEqual(200)
    }),
    often,
  )
})

const valid = `POST ${operations.validatePurchase.path}?shape=base HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 43\r\n\r\n{"purchase_code": "AAAA-1111-active-image"}`

/** Sends bytes, says that there are no more, and gives what comes back. */
const finished = (sent: Uint8Array) =>
  new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.end(sent))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: { code?: string }) =>
      error.code === 'ECONNRESET' ? undefined : reject(error),
    )
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })

test('a content type that is only almost one of ours is refused', async () => {
  // Found by the property above: a body parser for Koa did not read it, and its empty result was taken for the body.
  const { status, headers } = await service.request({
    method: 'POST',
    path: '/api/purchases/validation?',
    headers: { 'content-type': 'application/json;!' },
    body: Buffer.from([91, 0]),
  })
  expect([status, headers['x-error-code']]).toEqual([415, 'unsupported_media_type'])
})

test('no bytes on a connection give anything but answers of ours', async () => {
  const change = fc.record({
    at: fc.nat(valid.length),
    remove: fc.nat(6),
    insert: fc.uint8Array({ maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
      let sent = Buffer.from(valid)
      for (const { at, remove, insert } of changes)
        sent = Buffer.concat([sent.subarray(0, at), insert, sent.subarray(at + remove)])
      for (const answer of parseAnswers(await finished(sent))) {
        expect(answer.status).toBeLessThan(500)
        if (answer.text) checkAgainstOpenApi({ method: 'raw', path: '' }, answer)
      }
    }),
    often,
  )
  const [answer] = parseAnswers(await finished(Buffer.from(valid)))
  expect(answer!.status).toBe(200)
})

test('the service is as it was after all that', async () => {
  const answer = await service.request({ path: '/readyz' })
  expect(JSON.parse(answer.text)).toMatchObject({ status: 'ready', checks: { database: 'ok' } })
  expect(service.logs.filter((line) => JSON.parse(line).level > 30)).toEqual([])
})
