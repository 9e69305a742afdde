import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchangeBytes } from '../support/client.ts'
import { beginWriting } from '../support/database.ts'
import { ndjson, startService, type TestService } from '../support/harness.ts'
import { checkAgainstOpenApi } from '../support/openapi-check.ts'
import { records } from '../support/records.ts'

const token = 'a-token-of-the-shop-elsewhere'
const path = '/admin/import'

let service: TestService
beforeAll(async () => {
  service = await startService({ records, env: { ADMIN_TOKEN: token } })
})
afterAll(() => service.close())

/** Every response is one that the OpenAPI document describes. */
async function post(body: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${token}`
  const answer = await service.request({
    method: 'POST',
    path,
    body,
    headers: { authorization, ...headers },
  })
  checkAgainstOpenApi({ method: 'POST', path }, answer)
  return answer
}

const workspace = (slug: string) => ({ type: 'workspace', slug, name: slug, owner: 'ada' })
const sale = (purchase_code: string) => ({
  type: 'purchase',
  item: 101,
  purchase_code,
  license_type: 'Regular',
  price: 1,
  currency: 'USD',
  downloaded: false,
  date: '2024-01-01T00:00:00Z',
})
const stored = async (slug: string) =>
  (await service.database.prisma.workspace.findUnique({ where: { slug } })) !== null

test('stores records and says what they did, with the number of all warnings', async () => {
  const sales = Array.from({ length: 25 }, (_, index) => sale(`short-${index}`))
  const answer = await post(ndjson([workspace('by-token'), ...sales]))
  expect(answer.status).toBe(200)
  const { counts, warnings, warning_count } = JSON.parse(answer.text)
  expect(counts.workspace).toEqual({ created: 1, updated: 0, unchanged: 0 })
  expect(counts.purchase).toEqual({ created: 25, updated: 0, unchanged: 0 })
  expect([warnings.length, warning_count]).toEqual([20, 25])
  expect(await stored('by-token')).toBe(true)
})

test.each([
  ['no token', { authorization: '' }, 'missing_api_key'],
  ['another token', { authorization: 'Bearer another-token-of-16' }, 'invalid_api_key'],
])('%s is refused', async (_, headers, code) => {
  const answer = await post(ndjson([workspace('refused')]), headers)
  expect([answer.status, answer.headers['x-error-code']]).toEqual([401, code])
  expect(await stored('refused')).toBe(false)
})

test('what is wrong is listed, and whether there is more of it; nothing is stored', async () => {
  const wrong = (count: number) => ndjson([workspace('half'), ...Array(count).fill({ type: 'refund' })])
  const few = await post(wrong(2))
  expect(few.status).toBe(422)
  expect(JSON.parse(few.text)).toMatchObject({ more: false, problems: [{ line: 2 }, { line: 3 }] })
  const many = JSON.parse((await post(wrong(50))).text)
  expect([many.problems.length, many.more]).toEqual([20, true])
  expect(await stored('half')).toBe(false)
})

test('what is too large or compressed is refused', async () => {
  const tooLarge = await post('x'.repeat(16 * 1024 * 1024 + 1))
  expect([tooLarge.status, tooLarge.headers['x-error-code']]).toEqual([413, 'body_too_large'])
  const compressed = await post('x', { 'content-encoding': 'gzip' })
  expect([compressed.status, compressed.headers['x-error-code']]).toEqual([415, 'unsupported_media_type'])
})

test('another writer makes it a 503, after which it can be sent again', async () => {
  const finish = await beginWriting(service)
  const answer = await post(ndjson([workspace('waits')]))
  await finish()
  expect([answer.status, answer.headers['x-error-code']]).toEqual([503, 'unavailable'])
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expect((await post(ndjson([workspace('waits')]))).status).toBe(200)
})

test('a client that hangs up stores nothing, and is no fault of the service', async () => {
  const body = ndjson([workspace('hung-up')])
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length + 9}\r\n\r\n`
  const before = service.logs.length
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(head + body, () => socket.destroy())
  await expect.poll(() => service.logs.slice(before).join('')).toContain('"route":"/admin/import"')
  expect(service.logs.slice(before).join('')).toMatch(/"status":400/)
  expect(await stored('hung-up')).toBe(false)
})

test('a client that closes its end after a whole body waits for its response: it is stored', async () => {
  const many = Array.from({ length: 200 }, (_, index) => sale(`HALF-CLOSED-${index}`))
  for (const body of [ndjson([workspace('half-closed')]), ndjson([workspace('half-closed-2'), ...many])]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`
    const answer = await exchangeBytes(service.url, head + body, async () => {})
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
  }
  expect([await stored('half-closed'), await stored('half-closed-2')]).toEqual([true, true])
})
