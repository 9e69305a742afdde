import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApi } from './client.ts'
import { isRetryable } from './errors.ts'

interface ReceivedRequest {
  method: string | undefined
  url: string | undefined
  token: string | string[] | undefined
  body: string
}

type Responder = (request: ReceivedRequest) => {
  status?: number
  headers?: Record<string, string>
  body?: string
}

let server: Server
let requests: ReceivedRequest[]
let respond: Responder
let signOuts: number

beforeAll(async () => {
  const handle = async (request: IncomingMessage) => {
    const { method, url, headers } = request
    const received = { method, url, token: headers['x-csrf-token'], body: await text(request) }
    requests.push(received)
    return respond(received)
  }
  server = createServer(async (request, response) => {
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = await handle(request)
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => server.close())

beforeEach(() => {
  requests = []
  signOuts = 0
})

const api = () =>
  createApi({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/api`,
    onSignedOut: () => signOuts++,
  })

const failure = (code: string, status: number, more = {}) => ({
  status,
  body: JSON.stringify({ error: { code, ...more } }),
})

test('fills the path and builds the query', async () => {
  respond = () => ({ body: '{}' })
  await api()('getItem', { slug: 'ada', id: '../1' })
  await api()('listItems', { slug: 'ada', search: 'a&b', kind: 'audio' })
  expect(requests.map(({ url }) => url)).toEqual([
    '/console/api/workspaces/ada/items/..%2F1',
    '/console/api/workspaces/ada/items?search=a%26b&kind=audio',
  ])
})

test('unsafe methods send the CSRF token', async () => {
  respond = ({ url }) => ({
    body: JSON.stringify(url === '/console/api/session' ? { csrf_token: 'one' } : {}),
  })
  const send = api()
  await send('getSession', {})
  await send('revokeKey', { slug: 'ada', id: 'k' })
  expect(requests.map(({ method, token }) => [method, token])).toEqual([
    ['GET', undefined],
    ['POST', 'one'],
  ])
})

test('refreshes a stale CSRF token once', async () => {
  respond = ({ url, token }) => {
    if (url === '/console/api/session') return { body: JSON.stringify({ csrf_token: 'new' }) }
    return token === 'new' ? { body: '{"id":"k"}' } : failure('wrong_csrf_token', 403)
  }
  expect(await api()('revokeKey', { slug: 'ada', id: 'k' })).toEqual({ id: 'k' })
  respond = ({ method }) => (method === 'GET' ? { body: '{}' } : failure('wrong_csrf_token', 403))
  requests = []
  await expect(api()('signOut', {})).rejects.toMatchObject({ code: 'wrong_csrf_token' })
  expect(requests).toHaveLength(3)
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
])('maps %j to an ApiError', async (response, error) => {
  respond = () => response
  await expect(api()('listKeys', { slug: 'ada' })).rejects.toMatchObject(error)
  expect(signOuts).toBe(0)
})

test('reports the end of the session', async () => {
  respond = () => failure('not_signed_in', 401)
  await expect(api()('listSessions', {})).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(signOuts).toBe(1)
})

test('outages are retryable, refusals are not', async () => {
  const retryable: unknown[] = []
  for (const [code, status] of [
    ['not_found', 404],
    ['unavailable', 503],
    ['internal_error', 500],
  ] as const) {
    respond = () => failure(code, status)
    await api()('listSessions', {}).catch((error: unknown) => retryable.push(isRetryable(error)))
  }
  expect(retryable).toEqual([false, true, true])
})

test('returns a file as a Blob', async () => {
  respond = () => ({
    headers: { 'content-disposition': 'attachment', 'content-type': 'text/csv' },
    body: 'a,b\n',
  })
  const file = await api()('exportPurchases', { slug: 'ada', format: 'csv' })
  expect(await file.text()).toBe('a,b\n')
})
