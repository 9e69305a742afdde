import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient } from '../src/index.ts'
import { apiKey, bodies, code, purchaseBase, refusal } from './records.ts'

// A server that misbehaves below HTTP: what it writes is what arrives.

type Misbehave = (socket: Socket) => void

const http = (status: string, body: string, headers = '') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`
const json = (status: string, body: unknown, headers = '') =>
  http(status, JSON.stringify(body), `content-type: application/json\r\n${headers}`)
const send =
  (text: string | Uint8Array): Misbehave =>
  (socket) =>
    void socket.end(text)

const html = '<!doctype html><html><body>Welcome</body></html>'
const success = JSON.stringify(bodies.purchase)
const successWith = (changes: object) => ({
  status: 'success',
  data: { purchase: { ...purchaseBase, ...changes } },
})
const packed = gzipSync(`${' '.repeat(50_000_000)}${success}`)

const drip =
  (text: string, everyMs: number): Misbehave =>
  (socket) => {
    let at = 0
    const timer = setInterval(
      () => (at < text.length ? socket.write(text[at++]!) : clearInterval(timer)),
      everyMs,
    )
    socket.on('close', () => clearInterval(timer))
  }

const table: Record<string, { misbehave: Misbehave; kind: string; errorCode?: string | undefined }> = {
  'no answer at all (timeout)': { misbehave: () => {}, kind: 'timeout' },
  'headers, then no body (timeout)': {
    misbehave: (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n'),
    kind: 'timeout',
  },
  'a body that drips (timeout)': { misbehave: drip(http('200 OK', success), 20), kind: 'timeout' },
  '301': {
    misbehave: send(http('301 Moved', '', 'location: /elsewhere\r\n')),
    kind: 'invalid_response',
    errorCode: 'redirected',
  },
  '302': {
    misbehave: send(http('302 Found', '', 'location: https://evil.test/\r\n')),
    kind: 'invalid_response',
    errorCode: 'redirected',
  },
  '307': {
    misbehave: send(http('307 Again', '', 'location: /x\r\n')),
    kind: 'invalid_response',
    errorCode: 'redirected',
  },
  '304': {
    misbehave: send('HTTP/1.1 304 Not Modified\r\n\r\n'),
    kind: 'invalid_response',
    errorCode: 'redirected',
  },
  '401': {
    misbehave: send(
      json('401 Unauthorized', refusal('Invalid request'), 'x-error-code: invalid_api_key\r\n'),
    ),
    kind: 'authentication',
    errorCode: 'invalid_api_key',
  },
  '401 with an expired key': {
    misbehave: send(
      json('401 Unauthorized', refusal('Invalid request'), 'x-error-code: expired_api_key\r\n'),
    ),
    kind: 'authentication',
    errorCode: 'expired_api_key',
  },
  '403': {
    misbehave: send(json('403 Forbidden', refusal('Invalid request'), 'x-error-code: key_not_allowed\r\n')),
    kind: 'authentication',
  },
  '403 of a firewall': {
    misbehave: send(http('403 Forbidden', html)),
    kind: 'invalid_response',
    errorCode: 'not_json',
  },
  'a bare 404': {
    misbehave: send(http('404 Not Found', '')),
    kind: 'invalid_response',
    errorCode: 'not_json',
  },
  'a 404 of HTML': { misbehave: send(http('404 Not Found', html)), kind: 'invalid_response' },
  'a 404 of another API': {
    misbehave: send(json('404 Not Found', { error: 'not found' })),
    kind: 'invalid_response',
  },
  'a 404 whose code is in no envelope': {
    misbehave: send(json('404 Not Found', {}, 'x-error-code: purchase_not_found\r\n')),
    kind: 'invalid_response',
    errorCode: 'unexpected_body',
  },
  'a 404 of another route': {
    misbehave: send(json('404 Not Found', refusal('Not found'), 'x-error-code: route_not_found\r\n')),
    kind: 'not_found',
    errorCode: 'route_not_found',
  },
  'a 404 with a code of the future': {
    misbehave: send(json('404 Not Found', refusal(), 'x-error-code: purchase_from_the_future\r\n')),
    kind: 'not_found',
    errorCode: 'purchase_from_the_future',
  },
  'a 404 whose code cannot be shown': {
    misbehave: send(json('404 Not Found', refusal(), `x-error-code: ${apiKey}\r\n`)),
    kind: 'not_found',
    errorCode: 'unreadable',
  },
  'a 400 that says not found': {
    misbehave: send(json('400 Bad Request', refusal(), 'x-error-code: purchase_not_found\r\n')),
    kind: 'rejected',
  },
  'a 400': {
    misbehave: send(json('400 Bad Request', refusal(), 'x-error-code: invalid_parameter\r\n')),
    kind: 'rejected',
  },
  '408': { misbehave: send(json('408 Timeout', refusal())), kind: 'rejected' },
  '429': {
    misbehave: send(json('429 Too Many', refusal(), 'x-error-code: rate_limited\r\nretry-after: 60\r\n')),
    kind: 'rate_limited',
  },
  '429 of a proxy': { misbehave: send(http('429 Too Many', html)), kind: 'rate_limited' },
  '500': { misbehave: send(json('500 Oops', refusal('Internal server error'))), kind: 'server' },
  '500 that says success': { misbehave: send(json('500 Oops', bodies.purchase)), kind: 'server' },
  '502 with HTML': { misbehave: send(http('502 Bad Gateway', html)), kind: 'server', errorCode: 'not_json' },
  '503 that says not found': {
    misbehave: send(json('503 Unavailable', refusal(), 'x-error-code: purchase_not_found\r\n')),
    kind: 'server',
  },
  '200 with HTML': { misbehave: send(http('200 OK', html)), kind: 'invalid_response', errorCode: 'not_json' },
  '200 {}': { misbehave: send(json('200 OK', {})), kind: 'invalid_response', errorCode: 'unexpected_body' },
  '200 null': { misbehave: send(json('200 OK', null)), kind: 'invalid_response' },
  '200 []': { misbehave: send(json('200 OK', [])), kind: 'invalid_response' },
  '200 with nothing': { misbehave: send(http('200 OK', '')), kind: 'invalid_response' },
  '204': { misbehave: send('HTTP/1.1 204 No Content\r\n\r\n'), kind: 'invalid_response' },
  '200 that says error': { misbehave: send(json('200 OK', refusal())), kind: 'invalid_response' },
  '200 that says success alone': {
    misbehave: send(json('200 OK', { status: 'success' })),
    kind: 'invalid_response',
  },
  '200 with a purchase and no status': {
    misbehave: send(json('200 OK', { data: bodies.purchase.data })),
    kind: 'invalid_response',
  },
  '200 with a purchase without code': {
    misbehave: send(json('200 OK', successWith({ purchase_code: undefined }))),
    kind: 'invalid_response',
  },
  '200 with a purchase whose item has a text as id': {
    misbehave: send(json('200 OK', successWith({ item: { ...purchaseBase.item, id: '101' } }))),
    kind: 'invalid_response',
  },
  '200 with another purchase': {
    misbehave: send(json('200 OK', successWith({ purchase_code: 'CCCC' }))),
    kind: 'invalid_response',
    errorCode: 'other_purchase',
  },
  'JSON cut off': {
    misbehave: send(http('200 OK', success.slice(0, -20))),
    kind: 'invalid_response',
    errorCode: 'not_json',
  },
  'JSON cut off by a close without length': {
    misbehave: send(`HTTP/1.0 200 OK\r\n\r\n${success.slice(0, -1)}`),
    kind: 'invalid_response',
    errorCode: 'not_json',
  },
  'a body shorter than it says': {
    misbehave: send(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${success}`),
    kind: 'connection',
  },
  'a reset in the middle of the body': {
    misbehave(socket) {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${success.slice(0, 60)}`)
      setTimeout(() => socket.resetAndDestroy(), 20)
    },
    kind: 'connection',
  },
  'chunks that end without the last one': {
    misbehave: send(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${success.length.toString(16)}\r\n${success}\r\n`,
    ),
    kind: 'connection',
  },
  'a close before any byte': { misbehave: (socket) => void socket.destroy(), kind: 'connection' },
  'no HTTP at all': { misbehave: send('SSH-2.0-OpenSSH_9.6\r\n'), kind: 'connection' },
  'a broken gzip': {
    misbehave: send(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n'),
        gzipSync(success).subarray(0, 60),
      ]),
    ),
    // Node.js takes what it could unpack; it is no JSON.
    kind: 'invalid_response',
  },
  'bytes that are not UTF-8': {
    misbehave: send(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\n\r\n{"status":"success","x":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]),
    ),
    kind: 'connection',
  },
  'a body that is too large': {
    misbehave: send(http('200 OK', `${' '.repeat(1_100_000)}${success}`)),
    kind: 'invalid_response',
    errorCode: 'too_large',
  },
  'a gzip that is too large once it is unpacked': {
    misbehave(socket) {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`)
      socket.end(packed)
    },
    kind: 'invalid_response',
    errorCode: 'too_large',
  },
}

const rows = Object.entries(table)
let server: Server
let tls: Server
let row = rows[0]![1]
// Long enough for a busy machine where nothing has to time out.
const optionsFor = (kind: string) => ({ apiKey, maxRetries: 0, timeoutMs: kind === 'timeout' ? 200 : 4_000 })
const urlOf = (of: Server, scheme = 'http', host = '127.0.0.1') =>
  `${scheme}://${host}:${(of.address() as AddressInfo).port}`

const listening = (of: Server) => new Promise<void>((resolve) => of.listen(0, '127.0.0.1', resolve))

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => row.misbehave(socket))
  })
  const certificate = (name: string) =>
    readFileSync(new URL(`certificates/self-signed.${name}.pem`, import.meta.url))
  tls = createTlsServer({ key: certificate('key'), cert: certificate('cert') }, (socket) =>
    socket.end(http('200 OK', success)),
  )
  tls.on('tlsClientError', () => {})
  await Promise.all([listening(server), listening(tls)])
})

afterAll(() => {
  server.close()
  tls.close()
})

async function expectUnknown(baseUrl: string, expected: { kind: string; code?: string | undefined }) {
  const client = createClient({ baseUrl, ...optionsFor(expected.kind) })
  const check = await client.checkPurchase(code, { itemId: 101 })
  expect(check).toMatchObject({ outcome: 'unknown', error: expected })
  // A yes that is remembered neither, nor a no.
  const gate = createGate({ client })
  expect(await gate.check(code)).toMatchObject({ outcome: 'unknown' })
  await expect(client.validatePurchase(code)).rejects.toMatchObject(expected)
}

describe('the fault table: never valid, never invalid', () => {
  it.each(rows)('%s', async (_, fault) => {
    row = fault
    await expectUnknown(urlOf(server), {
      kind: fault.kind,
      ...(fault.errorCode && { code: fault.errorCode }),
    })
  })

  it('an unresolvable host name', () => expectUnknown('https://saleproof.invalid', { kind: 'connection' }))

  it('connection refused', () => expectUnknown('http://127.0.0.1:9', { kind: 'connection' }))

  it('a self-signed certificate', () =>
    expectUnknown(urlOf(tls, 'https', 'localhost'), {
      kind: 'connection',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    }))

  it('the same server without a fault: valid', async () => {
    row = { misbehave: send(http('200 OK', success)), kind: '' }
    expect(
      await createClient({ baseUrl: urlOf(server), ...optionsFor('') }).checkPurchase(code),
    ).toMatchObject({
      outcome: 'valid',
    })
  })
})
