import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import worker from '../examples/cloudflare-worker.ts'
import { createApp as createExpress } from '../examples/express.ts'
import { createApp as createFastify } from '../examples/fastify.ts'
import { createGateWithFiles } from '../examples/file-store.ts'
import { gateFromEnvironment, guardFromEnvironment } from '../examples/guard.ts'
import { createApp as createHono } from '../examples/hono.ts'
import { createApp as createKoa } from '../examples/koa.ts'
import { createRoute } from '../examples/next-route.ts'
import { createGateWithRedis } from '../examples/redis-store.ts'
import { createClient } from '../src/index.ts'
import { createMockApi } from '../src/testing/index.ts'

const mockApi = createMockApi()
const code = mockApi.sell(101)
const env = { SALEPROOF_URL: mockApi.baseUrl, SALEPROOF_API_KEY: mockApi.apiKey }
const realFetch = globalThis.fetch

beforeEach(() => {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    String(url).startsWith(mockApi.baseUrl) ? mockApi.fetch(url, init) : realFetch(url, init),
  )
})
afterEach(() => vi.unstubAllGlobals())

type Send = (headers: Record<string, string>) => Promise<Response>

const request = (headers: Record<string, string>) => new Request('http://localhost/download', { headers })

/** Serves on a free port while the test runs. */
async function over(listener: RequestListener, use: (send: Send) => Promise<void>) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/download`
  try {
    await use((headers) => realFetch(url, { headers }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function expectGuarded(send: Send) {
  const good = await send({ 'X-Purchase-Code': code })
  expect([good.status, await good.text()]).toEqual([200, 'the product'])
  const bad = await send({ 'X-Purchase-Code': 'never-sold-0' })
  expect([bad.status, await bad.json()]).toEqual([403, { error: 'purchase_not_found' }])
  const none = await send({})
  expect([none.status, await none.json()]).toEqual([401, { error: 'missing_code' }])
  for (const response of [bad, none]) expect(response.headers.get('cache-control')).toBe('no-store')
}

const gate = () => gateFromEnvironment(env as never)
const guard = () => guardFromEnvironment(env as never)

/** The handler behind the guard read the purchase. */
async function expectGuardedWithPurchase(send: Send) {
  await expectGuarded(send)
  expect((await send({ 'X-Purchase-Code': code })).headers.get('x-license')).toBe('Regular')
}

it('Express', () => over(createExpress(gate()) as unknown as RequestListener, expectGuardedWithPurchase))
it('Koa', () => over(createKoa(gate()).callback(), expectGuardedWithPurchase))
it('Fastify', async () => {
  const app = createFastify(gate())
  await app.ready()
  await over(app.routing, expectGuardedWithPurchase)
  await app.close()
})
it('Hono', () => expectGuarded(async (headers) => createHono(guard()).request(request(headers))))
it('a Next.js route handler', () => expectGuarded((headers) => createRoute(guard())(request(headers))))
it('a Cloudflare Worker', () =>
  expectGuarded((headers) => worker.fetch(request(headers), env, { waitUntil() {} })))

const pepper = 'a pepper of this installation, 32 characters or more'

it('a store in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-store-'))
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  const open = () => createGateWithFiles(client, join(folder, 'codes'), pepper)
  expect(await open().check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  expect(await open().check(code)).toMatchObject({ outcome: 'valid', source: 'cache' })
  await rm(folder, { recursive: true })
})

it('a store in Redis', async () => {
  const stored = new Map<string, string>()
  const redis = {
    async call(command: string, key = '', value?: string) {
      if (command === 'SET' && value) stored.set(key, value)
      return stored.get(key) ?? null
    },
  }
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  const open = () => createGateWithRedis(client, redis, pepper)
  expect(await open().check(code)).toMatchObject({ source: 'api' })
  expect(await open().check(code)).toMatchObject({ source: 'cache' })
})
