import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, exchangeBytes, parseAnswers } from '../support/client.ts'
import { accountText } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { records, secretKey } from '../support/records.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const end = 'Host: h\r\nConnection: close\r\n\r\n'
const account = operations.getAccount.path
const validation = operations.validatePurchase.path
const chunked = `POST ${validation} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`

const x = (length: number) => 'x'.repeat(length)

/** What only a raw connection can send: status and code of the one answer. */
const cases: Record<string, [bytes: string, status: number, code: string]> = {
  'no HTTP at all': ['hello\r\n\r\n', 400, 'malformed_request'],
  'TLS to a plain port': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'malformed_request'],
  'HTTP/0.9': ['GET /\r\n\r\n', 404, 'route_not_found'],
  'an unknown version': [`GET / HTTP/3.0\r\n${end}`, 400, 'malformed_request'],
  'HTTP/2 in clear': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
  'an unknown method': [`FOO / HTTP/1.1\r\n${end}`, 400, 'malformed_request'],
  'a space in the path': [`GET /a b HTTP/1.1\r\n${end}`, 400, 'malformed_request'],
  'U+0000 in the path': [`GET /\0 HTTP/1.1\r\n${end}`, 400, 'malformed_request'],
  'a header without a colon': [`GET / HTTP/1.1\r\nnonsense\r\n${end}`, 400, 'malformed_request'],
  'a header with U+0000': [`GET / HTTP/1.1\r\nX: a\0b\r\n${end}`, 400, 'malformed_request'],
  'a folded header': [`GET / HTTP/1.1\r\nX: a\r\n b\r\n${end}`, 400, 'malformed_request'],
  'no Host': ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
  'two Hosts': [`GET /healthz HTTP/1.1\r\nHost: a\r\n${end}`, 400, 'malformed_request'],
  'a target that is no URL': [`GET http://[/ HTTP/1.1\r\n${end}`, 400, 'malformed_request'],
  'a target with an odd port': [`GET http://[::1]:x/ HTTP/1.1\r\n${end}`, 400, 'malformed_request'],
  'two lengths': [
    `POST ${validation} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${end}a`,
    400,
    'malformed_request',
  ],
  'a length that is no number': [`POST / HTTP/1.1\r\nContent-Length: -1\r\n${end}`, 400, 'malformed_request'],
  'a length and chunks': [`${chunked}Content-Length: 3\r\n\r\n0\r\n\r\n`, 400, 'malformed_request'],
  'chunks that are none': [`${chunked}\r\nzz\r\n\r\n`, 400, 'malformed_request'],
  'a chunk that is longer than it says': [`${chunked}\r\n1\r\nabc\r\n0\r\n\r\n`, 400, 'malformed_request'],
  'chunk extensions without end': [`${chunked}\r\n1;${x(20_000)}\r\na\r\n0\r\n\r\n`, 413, 'body_too_large'],
  'headers of 17 KiB': [`GET / HTTP/1.1\r\nX: ${x(17_000)}\r\n${end}`, 431, 'request_too_large'],
  'headers of 60 KiB': [`GET / HTTP/1.1\r\nX: ${x(60_000)}\r\n${end}`, 431, 'request_too_large'],
  'many headers': [
    `GET / HTTP/1.1\r\n${'X: yyyyyyyyyyyyyyyy\r\n'.repeat(1000)}${end}`,
    431,
    'request_too_large',
  ],
  'a URL of 9 KB': [`GET /${x(9000)} HTTP/1.1\r\n${end}`, 414, 'request_too_large'],
  'a URL of 30 KB': [`GET /?${x(30_000)} HTTP/1.1\r\n${end}`, 414, 'request_too_large'],
  'a URL of 200 KB': [`GET /${x(200_000)} HTTP/1.1\r\n${end}`, 414, 'request_too_large'],
  'an unknown expectation': [
    `POST ${validation} HTTP/1.1\r\nExpect: 200-ok\r\n${end}`,
    417,
    'expectation_failed',
  ],
  CONNECT: [`CONNECT example.com:443 HTTP/1.1\r\n${end}`, 405, 'method_not_allowed'],
  TRACE: [`TRACE ${account} HTTP/1.1\r\n${end}`, 405, 'method_not_allowed'],
  'OPTIONS of everything': [`OPTIONS * HTTP/1.1\r\n${end}`, 404, 'route_not_found'],
  'a path that does not decode': [`GET /%zz%ff HTTP/1.1\r\n${end}`, 404, 'route_not_found'],
  'a path of another host': [`GET //${account} HTTP/1.1\r\n${end}`, 404, 'route_not_found'],
}

describe('what only a raw connection can send', () => {
  test.each(Object.entries(cases))('%s', async (_name, [bytes, status, code]) => {
    const before = service.logs.length
    const answer = await service.raw(bytes)
    expect([answer.status, answer.headers['x-error-code']]).toEqual([status, code])
    const lines = service.logs.slice(before).map((line) => JSON.parse(line))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      status,
      code,
      requestId: answer.headers['x-request-id'],
      workspace: null,
    })
  })
})

test('HTTP/1.0 needs no Host', async () => {
  const answer = await service.raw(`GET ${account} HTTP/1.0\r\nX-Api-Key: ${secretKey}\r\n\r\n`)
  expect(answer.text).toBe(accountText)
})

/** Writes the second piece when the service has had time for the first. */
const inPieces = (first: string, second: string) =>
  new Promise<string>((resolve, reject) => {
    const chunks: string[] = []
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port), noDelay: true })
    socket.on('data', (chunk) => chunks.push(String(chunk)))
    socket.on('error', reject)
    socket.on('close', () => resolve(chunks.join('')))
    socket.write(first)
    setTimeout(() => socket.write(second), 100)
  })

test('a URL that comes in pieces is too long all the same', async () => {
  const text = await inPieces(`GET /${x(6000)}`, `${x(6000)} HTTP/1.1\r\n${end}`)
  expect(parseAnswers(text).map(({ status }) => status)).toEqual([414])
})

test.each([
  ['a URL', 414, `GET /${x(9000)} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['headers', 431, `GET / HTTP/1.1\r\nHost: h\r\nX: ${x(17_000)}\r\n\r\n`],
])('%s that may not be so long ends its connection: %i', async (_, status, bytes) => {
  const answer = await service.raw(bytes)
  expect([answer.status, answer.headers.connection]).toEqual([status, 'close'])
})

test('Expect: 100-continue is answered', async () => {
  const text = await exchange(
    service.url,
    `POST ${validation} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 0\r\n${end}`,
  )
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /)
})

test('an Upgrade is not taken up', async () => {
  const text = await exchange(
    service.url,
    'GET /healthz HTTP/1.0\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

test('a broken body whose request asks for an Upgrade is malformed, once the client has ended its side', async () => {
  const bytes = `${chunked}Connection: upgrade\r\nUpgrade: h2c\r\n\r\nzz\r\n`
  const answers = parseAnswers(String(await exchangeBytes(service.url, bytes, () => sleep(100))))
  expect(answers.map(({ status, headers }) => [status, headers['x-error-code']])).toEqual([
    [400, 'malformed_request'],
  ])
})

test('nonsense after a request does not take the place of its answer', async () => {
  const text = await exchange(
    service.url,
    `GET ${account} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\n\r\nGARBAGE\r\n\r\n`,
  )
  const answers = parseAnswers(text)
  expect(answers.map(({ status }) => status)).toEqual([200, 400])
  expect(answers[0]!.text).toBe(accountText)
  expect(answers[1]!.headers['x-error-code']).toBe('malformed_request')
})

test('requests of one connection are answered in their order', async () => {
  const one = (id: number) =>
    `GET ${operations.getItem.path}?item_id=${id} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nX-Request-Id: r${id}\r\n`
  const text = await exchange(service.url, `${one(101)}\r\n${one(5)}\r\n${one(102)}Connection: close\r\n\r\n`)
  const answers = parseAnswers(text)
  expect(answers.map(({ status, headers }) => [status, headers['x-request-id']])).toEqual([
    [200, 'r101'],
    [404, 'r5'],
    [200, 'r102'],
  ])
})

test('the answer to CONNECT keeps the request id and the language of its caller', async () => {
  const answer = await service.raw(
    `CONNECT h:1 HTTP/1.1\r\nX-Request-Id: mine-1\r\nAccept-Language: pt-BR\r\n${end}`,
  )
  expect(answer.headers['x-request-id']).toBe('mine-1')
  expect(answer.text).toBe('{"status":"error","msg":"Método não permitido"}')
})

test('a body that breaks after its request was answered is not answered again', async () => {
  const text = await inPieces(
    `GET ${account} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    'zz\r\n\r\n',
  )
  expect(parseAnswers(text).map(({ status }) => status)).toEqual([200])
})

test('a body that is far too large is refused before it has come, and the refusal arrives', async () => {
  const answer = await fetch(`${service.url}${validation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': secretKey },
    body: ' '.repeat(8_000_000),
  })
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([413, 'body_too_large'])
})
