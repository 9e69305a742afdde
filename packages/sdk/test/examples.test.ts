import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import worker from '../examples/cloudflare-worker.ts'
import { createApp as createExpress } from '../examples/express.ts'
import { createApp as createFastify } from '../examples/fastify.ts'
import { createFileStore } from '../examples/file-store.ts'
import { gateFromEnvironment, guardFromEnvironment } from '../examples/guard.ts'
import { createApp as createHono } from '../examples/hono.ts'
import { createApp as createKoa } from '../examples/koa.ts'
import { createRoute } from '../examples/next-route.ts'
import { createRedisStore } from '../examples/redis-store.ts'
import { createGate } from '../src/gate/index.ts'
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

it('Express', () => over(createExpress(gate()) as unknown as RequestListener, expectGuarded))
it('Koa', () => over(createKoa(gate()).callback(), expectGuarded))
it('Fastify', async () => {
  const app = createFastify(gate())
  await app.ready()
  await over(app.routing, expectGuarded)
  await app.close()
})
it('Hono', () => expectGuarded(async (headers) => createHono(guard()).request(request(headers))))
it('a Next.js route handler', () => expectGuarded((headers) => createRoute(guard())(request(headers))))
it('a Cloudflare Worker', () => expectGuarded((headers) => worker.fetch(request(headers), env)))

it('a store in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-store-'))
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  const open = () => createGate({ client, store: createFileStore(join(folder, 'codes')) })
  expect(await open().check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  expect(await open().check(code)).toMatchObject({ outcome: 'valid', source: 'store' })
  const files = await readdir(join(folder, 'codes'))
  expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
  expect(await readFile(join(folder, 'codes', files[0]!), 'utf8')).not.toContain(code)
  await rm(folder, { recursive: true })
})

it('a store in Redis', async () => {
  const stored = new Map<string, string>()
  const times: number[] = []
  const redis = {
    get: async (key: string) => stored.get(key) ?? null,
    async set(key: string, value: string, unit: 'PX', milliseconds: number) {
      times.push(milliseconds)
      return unit === 'PX' && stored.set(key, value)
    },
  }
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  const open = () => createGate({ client, store: createRedisStore(redis) })
  expect(await open().check(code)).toMatchObject({ source: 'api' })
  expect(await open().check(code)).toMatchObject({ source: 'store' })
  expect([...stored.keys()]).toEqual([expect.stringMatching(/^saleproof:[0-9a-f]{64}$/)])
  expect(times).toEqual([72 * 3_600_000])
})
