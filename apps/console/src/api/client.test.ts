import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { consoleEndpoints } from '@saleproof/schema/console'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApi } from './client.ts'
import { endpoints } from './endpoints.ts'
import { isRetryable } from './errors.ts'

interface Asked {
  method: string | undefined
  url: string | undefined
  token: string | string[] | undefined
  body: string
}

type Reply = (asked: Asked) => { status?: number; headers?: Record<string, string>; body?: string }

let server: Server
let asked: Asked[]
let reply: Reply
let signedOut: number

beforeAll(async () => {
  const answer = async (request: IncomingMessage) => {
    const { method, url, headers } = request
    const one = { method, url, token: headers['x-csrf-token'], body: await text(request) }
    asked.push(one)
    return reply(one)
  }
  server = createServer(async (request, response) => {
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = await answer(request)
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => server.close())

beforeEach(() => {
  asked = []
  signedOut = 0
})

const api = () =>
  createApi({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/api`,
    onSignedOut: () => signedOut++,
  })

const failure = (code: string, status: number, more = {}) => ({
  status,
  body: JSON.stringify({ error: { code, ...more } }),
})

test('the endpoints are those that are described', () => {
  const described = Object.entries(consoleEndpoints).map(([name, { method, path }]) => [name, [method, path]])
  expect(endpoints).toEqual(Object.fromEntries(described))
})

test('a path is filled, a query holds what was given', async () => {
  reply = () => ({ body: '{}' })
  await api()('getItem', { at: { slug: 'ada', id: '../1' } })
  await api()('listItems', { at: { slug: 'ada' }, send: { search: 'a&b', kind: 'audio' } })
  expect(asked.map(({ url }) => url)).toEqual([
    '/console/api/workspaces/ada/items/..%2F1',
    '/console/api/workspaces/ada/items?search=a%26b&kind=audio',
  ])
})

test('what changes something carries the token of the session', async () => {
  reply = ({ url }) => ({ body: JSON.stringify(url === '/console/api/session' ? { csrf_token: 'one' } : {}) })
  const ask = api()
  await ask('getSession')
  await ask('revokeKey', { at: { slug: 'ada', id: 'k' } })
  expect(asked.map(({ method, token }) => [method, token])).toEqual([
    ['GET', undefined],
    ['POST', 'one'],
  ])
})

test('the token of another session is replaced once', async () => {
  reply = ({ url, token }) => {
    if (url === '/console/api/session') return { body: JSON.stringify({ csrf_token: 'new' }) }
    return token === 'new' ? { body: '{"id":"k"}' } : failure('wrong_csrf_token', 403)
  }
  expect(await api()('revokeKey', { at: { slug: 'ada', id: 'k' } })).toEqual({ id: 'k' })
  reply = ({ method }) => (method === 'GET' ? { body: '{}' } : failure('wrong_csrf_token', 403))
  asked = []
  await expect(api()('signOut')).rejects.toMatchObject({ code: 'wrong_csrf_token' })
  expect(asked).toHaveLength(3)
})

test.each([
  [
    failure('invalid', 422, { fields: { name: 'not_empty' } }),
    { code: 'invalid', fields: { name: 'not_empty' } },
  ],
  [failure('too_many_attempts', 429, { retry_after: 60 }), { code: 'too_many_attempts', retryAfter: 60 }],
  [
    { status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'retry-after': '7' } },
    { code: 'unavailable', retryAfter: 7 },
  ],
  [{ status: 404, body: '{"status":"error"}' }, { code: 'unavailable' }],
  [{ status: 200, body: '<html>' }, { code: 'unavailable' }],
  [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, { code: 'offline' }],
])('%j', async (answer, error) => {
  reply = () => answer
  await expect(api()('listKeys', { at: { slug: 'ada' } })).rejects.toMatchObject(error)
  expect(signedOut).toBe(0)
})

test('the end of the session is told', async () => {
  reply = () => failure('not_signed_in', 401)
  await expect(api()('getAccount')).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(signedOut).toBe(1)
})

test('a refusal stays one, an outage may pass', async () => {
  const reasons: unknown[] = []
  for (const [code, status] of [
    ['not_found', 404],
    ['unavailable', 503],
    ['internal_error', 500],
  ] as const) {
    reply = () => failure(code, status)
    await api()('getAccount').catch((error: unknown) => reasons.push(isRetryable(error)))
  }
  expect(reasons).toEqual([false, true, true])
})

test('a file is given as one', async () => {
  reply = () => ({
    headers: { 'content-disposition': 'attachment', 'content-type': 'text/csv' },
    body: 'a,b\n',
  })
  const file = await api()('exportPurchases', { at: { slug: 'ada' }, send: { format: 'csv' } })
  expect(await file.text()).toBe('a,b\n')
})
