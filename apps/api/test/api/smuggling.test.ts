import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, parseAnswers } from '../support/client.ts'
import { accountText, purchaseTexts } from '../support/expected.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, otherKey, records, secretKey } from '../support/records.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ records })
})
afterAll(() => service.close())

const validation = operations.validatePurchase.path
const account = operations.getAccount.path

/** A request that is hidden in another one: its answer would carry its id. */
const hidden = (id: string) =>
  `GET /healthz HTTP/1.1\r\nHost: h\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`
const smuggled = hidden('smuggled')

const post = (headers: string) =>
  `POST ${validation} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nContent-Type: application/json\r\n${headers}\r\n`
const withLength = (header: string) => post(`${header}\r\n`) + smuggled
const withCoding = (header: string) => `${post(`${header}\r\n`)}0\r\n\r\n${smuggled}`
const withChunks = (chunks: string) => post('Transfer-Encoding: chunked\r\n') + chunks + smuggled
const withHeader = (header: string) => `GET /healthz HTTP/1.1\r\nHost: h\r\n${header}\r\n\r\n${smuggled}`

/** What two servers could read differently. Each is refused, and nothing after it is read. */
const unclear: Record<string, string> = {
  'CL.TE': `${post(`Content-Length: ${5 + smuggled.length}\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n${smuggled}`,
  'TE.CL': `${post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n')}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
  'CL.TE, the coding hidden by a space': withCoding('Content-Length: 5\r\nTransfer-Encoding : chunked'),
  'TE.TE with an unknown coding': withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: cow'),
  'chunked twice': withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
  'chunked, identity': withCoding('Transfer-Encoding: chunked, identity'),
  'identity, chunked': withCoding('Transfer-Encoding: identity, chunked'),
  'gzip, chunked': withCoding('Transfer-Encoding: gzip, chunked'),
  gzip: withCoding('Transfer-Encoding: gzip'),
  xchunked: withCoding('Transfer-Encoding: xchunked'),
  'a coding in quotes': withCoding('Transfer-Encoding: "chunked"'),
  'a coding after a vertical tab': withCoding('Transfer-Encoding: \vchunked'),
  'a coding on a folded line': withCoding('Transfer-Encoding:\r\n chunked'),
  'a coding in HTTP/1.0': withCoding('Transfer-Encoding: chunked\r\nConnection: keep-alive').replace(
    '/1.1',
    '/1.0',
  ),
  'the same length twice': withLength('Content-Length: 0\r\nContent-Length: 0'),
  'another length': withLength('Content-Length: 0\r\nContent-Length: 9'),
  'a list of lengths': withLength('Content-Length: 0, 0'),
  'a length with a sign': withLength('Content-Length: +0'),
  'a length in hex': withLength('Content-Length: 0x0'),
  'a length without digits': withLength('Content-Length: '),
  'two numbers': withLength('Content-Length: 0 0'),
  'a length of 2^64': withLength('Content-Length: 18446744073709551616'),
  'a length before a space': withLength('Content-Length : 0'),
  'a length on a folded line': withLength('Content-Length:\r\n 0'),
  'a negative chunk': withChunks('-2\r\n{}\r\n0\r\n\r\n'),
  'a chunk with a sign': withChunks('+2\r\n{}\r\n0\r\n\r\n'),
  'a chunk with 0x': withChunks('0x2\r\n{}\r\n0\r\n\r\n'),
  'a chunk with an underscore': withChunks('1_0\r\n{}\r\n0\r\n\r\n'),
  'a chunk of 2^64': withChunks('10000000000000002\r\n{}\r\n0\r\n\r\n'),
  'a chunk before a space': withChunks('2 \r\n{}\r\n0\r\n\r\n'),
  'a chunk without a size': withChunks('\r\n{}\r\n0\r\n\r\n'),
  'a chunk whose size ends with LF': withChunks('2\n{}\r\n0\r\n\r\n'),
  'a chunk whose data end with LF': withChunks('2\r\n{}\n0\r\n\r\n'),
  'a chunk whose data end with CR': withChunks('2\r\n{}\r0\r\n\r\n'),
  'a chunk extension that ends with LF': withChunks('2;a\n{}\r\n0\r\n\r\n'),
  'a chunk extension with a line in quotes': withChunks('2;a="x\r\ny"\r\n{}\r\n0\r\n\r\n'),
  'a length after the body': withChunks('2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n'),
  'a coding after the body': withChunks('2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'),
  'LF for every line end': `GET /healthz HTTP/1.1\nHost: h\n\n${smuggled}`,
  'LF in the headers': withHeader('X: a\nY: b'),
  'LF before the body': `GET /healthz HTTP/1.1\r\nHost: h\r\n\n${smuggled}`,
  'CR in a header': withHeader('X: a\rContent-Length: 5'),
  'NUL in a header': withHeader('X: a\0b'),
  'NUL in the name of a header': withHeader('X\0Y: a'),
  'a control character in a header': withHeader('X: a\x01b'),
  'a header without a name': withHeader(': a'),
  'a space in the name of a header': withHeader('X Y: a'),
  'a parenthesis in the name of a header': withHeader('X(Y): a'),
  'a folded header': withHeader('X: a\r\n b'),
  'a folded line before any header': `GET /healthz HTTP/1.1\r\n X: a\r\nHost: h\r\n\r\n${smuggled}`,
  'tabs in the request line': `GET\t/healthz\tHTTP/1.1\r\nHost: h\r\n\r\n${smuggled}`,
  'a method in lower case': `get /healthz HTTP/1.1\r\nHost: h\r\n\r\n${smuggled}`,
}

describe('what two servers could read differently', () => {
  test.each(Object.entries(unclear))('%s is refused, and the connection ends', async (_name, bytes) => {
    const before = service.logs.length
    const answers = parseAnswers(await exchange(service.url, bytes))
    expect(answers.map(({ status, headers }) => [status, headers['x-error-code']])).toEqual([
      [400, 'malformed_request'],
    ])
    expect(answers[0]!.headers.connection).toBe('close')
    expect(service.logs.slice(before).join('')).not.toContain('smuggled')
  })

  test.each(['a, b', 'a b', 'user@h', 'h:80:80', 'h/x', 'h:x', '[::1', 'h?', '"h"'])(
    'a Host of "%s" is refused',
    async (host) => {
      for (const path of ['/healthz', account]) {
        const text = await exchange(
          service.url,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${secretKey}\r\nConnection: close\r\n\r\n`,
        )
        expect(parseAnswers(text).map(({ status }) => status)).toEqual([400])
      }
    },
  )

  test.each(['h', 'shop.example:8443', '127.0.0.1', '[::1]:3000', 'my_shop', ''])(
    'a Host of "%s" is taken',
    async (host) => {
      const text = await exchange(
        service.url,
        `GET ${account} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${secretKey}\r\nConnection: close\r\n\r\n`,
      )
      expect(parseAnswers(text).map((answer) => answer.text)).toEqual([accountText])
    },
  )
})

const length = (text: string) => `Content-Length: ${text.length}\r\n\r\n${text}`
const chunk = (text: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const key = `Host: h\r\nX-Api-Key: ${secretKey}\r\n`

/** A request inside a body is a body, also where it is not read. */
const bodies: Record<string, [bytes: string, status: number]> = {
  'of a GET': [`GET /healthz HTTP/1.1\r\nHost: h\r\n${length(smuggled)}`, 200],
  'of a GET, in chunks': [`GET /healthz HTTP/1.1\r\nHost: h\r\n${chunk(smuggled)}`, 200],
  'of an operation that has none': [`GET ${account} HTTP/1.1\r\n${key}${length(smuggled)}`, 200],
  'of an operation that has none, in chunks': [`GET ${account} HTTP/1.1\r\n${key}${chunk(smuggled)}`, 200],
  'of a validation': [
    `POST ${validation} HTTP/1.1\r\n${key}Content-Type: application/json\r\n${length(smuggled)}`,
    400,
  ],
  'of a type that is not taken': [
    `POST ${validation} HTTP/1.1\r\n${key}Content-Type: text/plain\r\n${length(smuggled)}`,
    415,
  ],
  'of a route that is not there': [`POST /nowhere HTTP/1.1\r\nHost: h\r\n${length(smuggled)}`, 404],
  'of a method that is not allowed': [`DELETE ${account} HTTP/1.1\r\n${key}${length(smuggled)}`, 405],
  'of a request that is refused for its key': [
    `POST ${validation} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${length('{"a":1}')}`,
    401,
  ],
}

describe('a request inside a body is not one', () => {
  test.each(Object.entries(bodies))('%s', async (_name, [bytes, status]) => {
    const answers = parseAnswers(await exchange(service.url, bytes + hidden('next')))
    expect(answers.map((answer) => answer.status)).toEqual([status, 200])
    expect(answers[1]!.headers['x-request-id']).toBe('next')
  })

  test('nor is one after the last of a connection', async () => {
    const text = await exchange(service.url, hidden('first') + smuggled)
    expect(parseAnswers(text).map(({ headers }) => headers['x-request-id'])).toEqual(['first'])
  })

  test('a header after the body is none', async () => {
    const body = JSON.stringify({ purchase_code: codes.active })
    const bytes = `${post('Transfer-Encoding: chunked\r\nConnection: close\r\n')}${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX-Api-Key: ${otherKey}\r\n\r\n`
    const answers = parseAnswers(await exchange(service.url, bytes))
    expect(answers.map(({ text }) => text)).toEqual([purchaseTexts.base.active])
  })
})

describe('requests that come together', () => {
  const many = 500
  const requests = Array.from({ length: many }, (_, index) => {
    const sent = [
      `GET ${account} HTTP/1.1\r\n${key}X-Request-Id: r${index}\r\n\r\n`,
      `POST ${validation} HTTP/1.1\r\n${key}X-Request-Id: r${index}\r\nContent-Type: application/json\r\n${length(JSON.stringify({ purchase_code: codes.active }))}`,
      `GET /nowhere HTTP/1.1\r\nHost: h\r\nX-Request-Id: r${index}\r\n\r\n`,
      `GET ${account} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${otherKey}\r\nX-Request-Id: r${index}\r\n\r\n`,
    ]
    return sent[index % sent.length]!
  })

  test(`${many} on one connection are answered in their order, each with its own answer`, async () => {
    const answers = parseAnswers(await exchange(service.url, requests.join('') + hidden('last')))
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual([
      ...requests.map((_, index) => `r${index}`),
      'last',
    ])
    for (const [index, { status, text }] of answers.slice(0, -1).entries()) {
      expect(status).toBe(index % 4 === 2 ? 404 : 200)
      if (index % 4 === 0) expect(text).toBe(accountText)
      if (index % 4 === 1) expect(text).toBe(purchaseTexts.base.active)
      if (index % 4 === 3) expect(text).not.toBe(accountText)
    }
  })

  test('one for a tunnel among them is refused in its turn', async () => {
    const bytes = `${requests.slice(0, 4).join('')}CONNECT h:1 HTTP/1.1\r\n${key}\r\n${smuggled}`
    const answers = parseAnswers(await exchange(service.url, bytes))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 405])
  })

  test('a broken one among them ends them there', async () => {
    const bytes = requests.slice(0, 8).join('') + withHeader('X: a\0b')
    const answers = parseAnswers(await exchange(service.url, bytes))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200, 200, 404, 200, 400])
  })
})

describe('headers', () => {
  const tiny = (count: number) =>
    `GET ${account} HTTP/1.1\r\n${key}Connection: close\r\n${'a:\r\n'.repeat(count - 3)}\r\n`
  const statusOf = async (bytes: string) => parseAnswers(await exchange(service.url, bytes))[0]!.status

  test('are 100 at most', async () => {
    expect(await statusOf(tiny(100))).toBe(200)
    for (const count of [101, 999, 1001, 2500]) expect(await statusOf(tiny(count))).toBe(431)
  })

  test('after the thousandth do not change who asks', async () => {
    const bytes = `GET ${account} HTTP/1.1\r\n${key}${'a:\r\n'.repeat(1200)}X-Api-Key: ${otherKey}\r\nConnection: close\r\n\r\n`
    expect(await statusOf(bytes)).toBe(431)
  })

  test('after a body are limited as well', async () => {
    const trailers = 'X: yyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(5000)
    expect(await statusOf(withChunks(`2\r\n{}\r\n0\r\n${trailers}\r\n`))).toBe(431)
  })
})
