import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '@saleproof/process'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import worker from '../examples/cloudflare-worker.ts'
import { createApp as createFastify } from '../examples/fastify.ts'
import { gateFromEnvironment, guardFromEnvironment } from '../examples/guard.ts'
import { createApp as createHono } from '../examples/hono.ts'
import { createApp as createKoa } from '../examples/koa.ts'
import { POST } from '../examples/next-route.ts'
import { createMockApi } from '../src/testing/index.ts'

const mockApi = createMockApi()
const code = mockApi.sell(101)
mockApi.load([{ type: 'api_key', workspace: 'demo', key: 'YOUR_PUBLISHABLE_KEY', publishable: true }])
const env = { SALEPROOF_URL: mockApi.baseUrl, SALEPROOF_API_KEY: mockApi.apiKey }
const realFetch = globalThis.fetch

beforeEach(() => {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    String(url).startsWith(mockApi.baseUrl) ? mockApi.fetch(url, init) : realFetch(url, init),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

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

async function expectGuarded(send: Send, validCode = code) {
  const good = await send({ 'X-Purchase-Code': validCode })
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
async function expectGuardedWithPurchase(send: Send, validCode = code) {
  await expectGuarded(send, validCode)
  expect((await send({ 'X-Purchase-Code': validCode })).headers.get('x-license')).toBe('Regular')
}

/** A program of the examples, in a process and a folder of its own, with the API of the README. */
function start(example: string, cwd: string, variables: Record<string, string>): ChildProcess {
  const file = (path: string) => join(import.meta.dirname, path)
  const args = ['--conditions=@saleproof/source', '--no-warnings', '--import', file('readme-world.ts')]
  return spawn(process.execPath, [...args, file(`../examples/${example}`)], {
    cwd,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

it('Express', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saleproof-express-'))
  const PORT = String(await freePort())
  const program = start('express.ts', folder, {
    PORT,
    SALEPROOF_URL: 'https://market.example.com',
    SALEPROOF_PEPPER: pepper,
  })
  try {
    const send: Send = (headers) => realFetch(`http://127.0.0.1:${PORT}/download`, { headers })
    const isUp = () => send({}).then(({ status }) => status)
    await expect.poll(() => isUp().catch(() => 0)).toBe(401)
    await expectGuardedWithPurchase(send, 'AAAA-1111-BBBB-2222')
    expect(await readdir(join(folder, 'purchases'))).not.toEqual([])
  } finally {
    program.kill()
    await rm(folder, { recursive: true })
  }
})
it('Koa', () => over(createKoa(gate()).callback(), expectGuardedWithPurchase))
it('Fastify', async () => {
  const app = createFastify(gate())
  await app.ready()
  await over(app.routing, expectGuardedWithPurchase)
  await app.close()
})
it('Hono', () => expectGuarded(async (headers) => createHono(guard()).request(request(headers))))
it('a Next.js route handler', async () => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  await expectGuarded((headers) => POST(request(headers)))
})
it('a Cloudflare Worker', async () => {
  const kept = new Map<string, string>()
  const PURCHASES = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, text: string) => kept.set(key, text),
    delete: async (key: string) => kept.delete(key),
  }
  const workerEnv = { ...env, SALEPROOF_PEPPER: pepper, PURCHASES }
  await expectGuarded((headers) => worker.fetch(request(headers), workerEnv, { waitUntil() {} }))
  // Two codes and the time mark.
  expect(kept.size).toBe(3)
})

/** Lets the mock API answer at the address of the README. */
function stubMarket() {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { pathname } = new URL(url)
    return url.startsWith('https://market.example.com/')
      ? mockApi.fetch(mockApi.baseUrl + pathname, init)
      : realFetch(url, init)
  })
}

/** A copy of a program of the examples, which refuses its placeholder, with a pepper. */
async function copyWithPepper(name: string): Promise<string> {
  const example = join(import.meta.dirname, `../examples/${name}.ts`)
  await expect(import(example)).rejects.toMatchObject({ kind: 'configuration' })
  const copy = join(import.meta.dirname, `../.cache/${name}.ts`)
  await mkdir(dirname(copy), { recursive: true })
  await writeFile(copy, (await readFile(example, 'utf8')).replace(/YOUR_PEPPER[^']*/, pepper))
  return copy
}

it('a page with its storage, over a reload', async () => {
  stubMarket()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  await expectKept(await copyWithPepper('web-storage'))
})

it('a React Native program, over a restart', async () => {
  stubMarket()
  await expectKept(await copyWithPepper('react-native'))
})

/** A program whose store outlives it. */
async function expectKept(copy: string) {
  const first = await import(copy)
  expect(await first.unlock(code)).toBe('Thank you!')
  expect(await first.unlock('never-sold-0')).toMatch(/^No purchase/)
  mockApi.fail('refused')
  const reloaded = await import(`${copy}?reloaded`)
  expect(await reloaded.unlock(code)).toBe('Thank you!')
  expect(await reloaded.unlock('never-sold-1')).toMatch(/^No complete response/)
  mockApi.recover()
}

it('the main process of an Electron program', async () => {
  const { handlers, userData } = await import('./electron.ts')
  stubMarket()
  await import(await copyWithPepper('electron'))
  const check = (text: string) => handlers.get('check-purchase')?.({}, text)
  expect(await check(code)).toBe('Thank you!')
  expect(await check('never-sold-0')).toMatch(/^No purchase/)
  mockApi.fail('refused', Number.POSITIVE_INFINITY)
  expect(await check(code)).toBe('Thank you!')
  mockApi.recover()
  expect(await readdir(join(userData, 'purchases'))).not.toEqual([])
  await rm(userData, { recursive: true })
})

const pepper = 'a pepper of this installation, 32 characters or more'
