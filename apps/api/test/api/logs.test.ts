import { randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import { operations } from '@saleproof/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateApiKey } from '../../src/crypto/api-key.ts'
import { onPostgres } from '../support/database.ts'
import { startService, type TestService } from '../support/harness.ts'
import { codes, expiredKey, publishableKey, records, secretKey } from '../support/records.ts'

let service: TestService
let workspace: number
beforeAll(async () => {
  service = await startService({ records })
  workspace = (await service.database.prisma.workspace.findUniqueOrThrow({ where: { slug: 'ada-studio' } }))
    .id
})
afterAll(() => service.close())
beforeEach(() => void service.logs.splice(0))

const lines = () => service.logs.map((line) => JSON.parse(line))
const { getAccount, getItem, validatePurchase } = operations

describe('one line a request', () => {
  test('of a success', async () => {
    const answer = await service.request({
      path: `${getAccount.path}?x=1`,
      headers: { 'x-api-key': secretKey },
    })
    expect(service.logs[0]).toMatch(/^\{.*\}\n$/)
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.anything(),
        method: 'GET',
        route: getAccount.path,
        status: 200,
        code: null,
        durationMs: expect.any(Number),
        requestId: answer.headers['x-request-id'],
        workspace,
        msg: 'request',
      },
    ])
  })

  test('of failures, with their code and what was known by then', async () => {
    const expected: [Parameters<TestService['request']>[0], object][] = [
      [
        { path: getItem.path },
        { route: getItem.path, status: 401, code: 'missing_api_key', workspace: null },
      ],
      [
        { path: `${getItem.path}?item_id=5`, headers: { 'x-api-key': secretKey } },
        { route: getItem.path, status: 404, code: 'item_not_found', workspace },
      ],
      [
        { path: getItem.path, headers: { 'x-api-key': publishableKey } },
        { route: getItem.path, status: 403, code: 'key_not_allowed', workspace },
      ],
      [{ path: '/nowhere/secret' }, { route: null, status: 404, code: 'route_not_found', workspace: null }],
      [
        { path: getItem.path, method: 'DELETE' },
        { route: getItem.path, method: 'DELETE', status: 405, code: 'method_not_allowed' },
      ],
      [{ path: '/healthz' }, { route: '/healthz', status: 200, code: null }],
    ]
    for (const [sent, line] of expected) {
      await service.request(sent)
      expect(lines().at(-1)).toMatchObject(line)
    }
    expect(lines()).toHaveLength(expected.length)
  })

  test('a 304 and a HEAD are logged as such', async () => {
    const headers = { 'x-api-key': secretKey, 'if-none-match': '*' }
    await service.request({ path: getAccount.path, headers })
    await service.request({ method: 'HEAD', path: getAccount.path, headers: { 'x-api-key': secretKey } })
    expect(lines().map(({ method, status }) => [method, status])).toEqual([
      ['GET', 304],
      ['HEAD', 200],
    ])
  })
})

describe('request ids', () => {
  const idOf = async (id: string | string[]) =>
    (await service.request({ path: '/healthz', headers: { 'x-request-id': id } })).headers['x-request-id']

  test.each(['a', 'A-z.0_9', 'x'.repeat(64)])('%s is kept', async (id) => {
    expect(await idOf(id)).toBe(id)
    const { requestId } = lines()[0]
    expect(requestId).toMatch(/^[\w-]+\.[\w-]{16}$/)
    await idOf(id)
    // One id of ours for each request, and one hash for each of the caller's.
    const again = lines()[1].requestId
    expect(again).not.toBe(requestId)
    expect(again.slice(-16)).toBe(requestId.slice(-16))
  })

  test.each([generateApiKey(), secretKey, codes.active, randomUUID()])(
    '%s is sent back, and not logged',
    async (id) => {
      expect(await idOf(id)).toBe(id)
      expect(service.logs.join('')).not.toContain(id)
    },
  )

  const refused = ['x'.repeat(65), 'a b', 'a/b', 'ü', '"', 'a,b', '']
  test.each([...refused, ['a', 'b']])('%s is replaced', async (id) => {
    const given = await idOf(id)
    expect(given).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
    expect(given).not.toBe(id)
  })

  test('each request has another one', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => idOf('')))
    expect(new Set(ids).size).toBe(20)
  })
})

describe('secrets', () => {
  const canaries = { key: 'CanaryKey0123456789', code: 'CanaryCode-0123456789', email: 'canary@example.com' }
  const { key, code, email } = canaries
  const all = `api_key=${key}&purchase_code=${code}&email=${email}`
  const path = validatePurchase.path
  const post = (type: string, body: string | Uint8Array, headers = {}) => ({
    method: 'POST',
    path,
    headers: { 'content-type': type, ...headers },
    body,
  })
  const json = JSON.stringify({ api_key: key, purchase_code: code, email })
  const known = { 'x-api-key': secretKey }

  const requests = [
    { path: `${getItem.path}?${all}&item_id=${code}`, headers: known },
    { path: `${getItem.path}?item_id=${code}`, headers: known },
    { path: `/${key}/${code}/${email}?${all}` },
    { path: getAccount.path, headers: { authorization: `Bearer ${key}` } },
    { path: getAccount.path, headers: { 'x-api-key': key, cookie: key, 'user-agent': code, referer: email } },
    { path: getAccount.path, headers: { ...known, authorization: `Bearer ${key}` } },
    { path: getAccount.path, method: 'PROPFIND', headers: { 'x-api-key': key } },
    { path: getAccount.path, headers: { expect: key } },
    { path: getAccount.path, headers: { 'x-request-id': `${key} ${code}`, 'accept-language': code } },
    { path: `${getAccount.path}?shape=${code}`, headers: known },
    post('application/json', json),
    post('application/json', `{"purchase_code":"${code}"}`, known),
    post('application/json', `${json}${code}`, known),
    post('application/json', `{"purchase_code":["${code}"],"api_key":"${key}"`, known),
    post('application/x-www-form-urlencoded', all),
    post(
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${code}`,
    ),
    post(code, json, known),
    post('application/json', json, { 'content-encoding': key }),
    post('application/json', Buffer.from(json), { 'content-encoding': 'gzip' }),
    post('application/json', zlib.gzipSync(json.repeat(2000)), { 'content-encoding': 'gzip' }),
  ]

  const raws = [
    `GET /${key} ${code}\r\n\r\n`,
    `GET / HTTP/1.1\r\nX-Api-Key: ${key}\0${code}\r\n\r\n`,
    `GET http://${key}:${code}@[/ HTTP/1.1\r\nHost: ${email}\r\nConnection: close\r\n\r\n`,
    `GET /?${all}${'x'.repeat(60_000)} HTTP/1.1\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: ${secretKey}\r\nTransfer-Encoding: chunked\r\n\r\n${code}\r\n`,
    `CONNECT ${key}:1 HTTP/1.1\r\nHost: ${code}\r\n\r\n`,
  ]

  const leaked = (text: string) =>
    [...Object.values(canaries), secretKey].filter((secret) => text.includes(secret))

  test('are in no log line and in no failure, wherever they were sent', async () => {
    for (const request of requests) {
      const answer = await service.request(request)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(leaked(answer.text + JSON.stringify(answer.headers))).toEqual([])
    }
    for (const raw of raws) {
      const answer = await service.raw(raw)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(leaked(answer.text + JSON.stringify(answer.headers))).toEqual([])
    }
    expect(leaked(service.logs.join(''))).toEqual([])
    expect(lines()).toHaveLength(requests.length + raws.length)
  })

  test('that are known and right are in no log line either', async () => {
    await service.request({ path: `${getAccount.path}?api_key=${secretKey}` })
    await service.request(post('application/json', JSON.stringify({ purchase_code: codes.active }), known))
    await service.request({ path: `${getAccount.path}?api_key=${expiredKey}` })
    expect(lines().map(({ status }) => status)).toEqual([200, 200, 401])
    const secrets = [secretKey, expiredKey, codes.active, 'ada@example.com', 'hi@example.com']
    expect(secrets.filter((secret) => service.logs.join('').includes(secret))).toEqual([])
  })

  test('do not reach the log when the service itself fails', async () => {
    const own = await startService({ records })
    try {
      await own.database.prisma.$executeRawUnsafe('ALTER TABLE "Purchase" RENAME TO "Gone"')
      const answer = await own.request(
        post('application/json', JSON.stringify({ purchase_code: code }), known),
      )
      expect(answer.status).toBe(503)
      const [cause] = own.logs.map((line) => JSON.parse(line)).filter(({ cause }) => cause)
      expect(cause).toMatchObject({
        code: 'unavailable',
        msg: 'request failed: database unavailable',
        cause: { code: onPostgres ? '42P01' : 'SQLITE_ERROR' },
      })
      expect(leaked(own.logs.join(''))).toEqual([])
    } finally {
      await own.close()
    }
  })
})
