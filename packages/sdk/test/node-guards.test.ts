import type { RequestListener } from 'node:http'
import express, { type Request as ExpressRequest } from 'express'
import { type FastifyRequest, fastify } from 'fastify'
import Koa from 'koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient, type Fetch } from '../src/index.ts'
import { explain } from '../src/messages.ts'
import {
  expressGuard,
  fastifyGuard,
  koaGuard,
  type NodeGuardOptions,
  type NodeRequest,
} from '../src/node/index.ts'
import { createMockApi } from '../src/testing/index.ts'
import { listen } from './server.ts'

/** What an application behind a guard did. */
interface Handled {
  purchases: unknown[]
}

type CreateApp = (options: NodeGuardOptions, handled: Handled) => Promise<RequestListener>

const createExpressApp: CreateApp = async (options, handled) => {
  const app = express()
  app.set('env', 'test')
  app.use((_request, response, next) => {
    response.append('set-cookie', 'own=0')
    next()
  })
  app.use(expressGuard(options))
  app.get('/download', (request, response) => {
    handled.purchases.push(request.purchase)
    response.send('the product')
  })
  return app as unknown as RequestListener
}

const createKoaApp: CreateApp = async (options, handled) => {
  const app = new Koa()
  app.silent = true
  app.use((context, next) => {
    context.append('set-cookie', 'own=0')
    return next()
  })
  app.use(koaGuard(options))
  app.use((context) => {
    handled.purchases.push(context.state.purchase)
    context.body = 'the product'
  })
  return app.callback()
}

const createFastifyApp: CreateApp = async (options, handled) => {
  const app = fastify()
  app.addHook('onRequest', async (_request, reply) => void reply.header('set-cookie', 'own=0'))
  app.addHook('onRequest', fastifyGuard(options))
  app.get('/download', async (request) => {
    handled.purchases.push(request.purchase)
    return 'the product'
  })
  await app.ready()
  onTestFinished(() => app.close())
  return app.routing
}

const apps = { Express: createExpressApp, Koa: createKoaApp, Fastify: createFastifyApp }

describe.each(Object.entries(apps))('the guard for %s', (_, createApp) => {
  async function setup(options: Partial<NodeGuardOptions> = {}, before = async () => {}) {
    const mockApi = createMockApi()
    const { baseUrl, apiKey } = mockApi
    const fetch: Fetch = async (...args) => {
      await before()
      return mockApi.fetch(...args)
    }
    const client = createClient({ baseUrl, apiKey, fetch, maxRetries: 0, timeoutMs: 5_000 })
    const handled: Handled = { purchases: [] }
    const gate = createGate({ client, onUnknown: 'deny' })
    const guardOptions = { gate, itemId: 101 }
    const app = await createApp({ ...guardOptions, ...options }, handled)
    let closedEarly = 0
    const { url, close } = await listen((request, response) => {
      response.once('close', () => {
        if (!response.writableEnded) closedEarly += 1
      })
      app(request, response)
    })
    onTestFinished(close)
    const get = (headers: Record<string, string> = {}, init: RequestInit = {}) =>
      globalThis.fetch(`${url}/download`, { headers, ...init })
    return { mockApi, handled, get, code: mockApi.sell(101), closedEarly: () => closedEarly }
  }

  it('allows a valid code and gives the purchase to the handler', async () => {
    const { get, code, handled } = await setup()
    const response = await get({ 'x-purchase-code': code })
    expect([response.status, await response.text()]).toEqual([200, 'the product'])
    expect(handled.purchases).toEqual([
      expect.objectContaining({ purchase_code: code, item: expect.objectContaining({ id: 101 }) }),
    ])
  })

  it('answers 401, 403 and 503 as the guard does, and the handler does not run', async () => {
    const { get, mockApi, handled } = await setup()
    const answer = async (response: Response) => [
      response.status,
      await response.json(),
      response.headers.get('cache-control'),
      response.headers.get('www-authenticate'),
      response.headers.get('retry-after'),
      response.headers.get('content-type')?.replace(/;.*/, ''),
    ]
    const none = { error: 'missing_code' }
    const json = 'application/json'
    expect(await answer(await get())).toEqual([401, none, 'no-store', 'PurchaseCode', null, json])
    const refused = await answer(await get({ 'x-purchase-code': 'never-sold-0' }))
    expect(refused).toEqual([403, { error: 'purchase_not_found' }, 'no-store', null, null, json])
    mockApi.fail('html', 1)
    const unknown = await answer(await get({ 'x-purchase-code': 'another' }))
    expect(unknown).toEqual([503, { error: 'unknown' }, 'no-store', null, '30', json])
    expect(handled.purchases).toEqual([])
  })

  it('reads the code with readCode from the request of the framework', async () => {
    const readCode = async ({ headers }: NodeRequest) => String(headers.authorization).replace('Code ', '')
    const { get, code, handled } = await setup({ readCode })
    expect((await get({ authorization: `Code ${code}` })).status).toBe(200)
    expect((await get({ 'x-purchase-code': code })).status).toBe(403)
    expect(handled.purchases).toHaveLength(1)
  })

  it('leaves an error of readCode to the framework: 500, and the handler does not run', async () => {
    const { get, code, handled } = await setup({
      readCode() {
        throw new Error('cannot read')
      },
    })
    expect((await get({ 'x-purchase-code': code })).status).toBe(500)
    expect(handled.purchases).toEqual([])
  })

  it('answers with what onDenied gives, or else as the guard does', async () => {
    const seen: unknown[] = []
    const { get, code, handled } = await setup({
      itemId: 102,
      onDenied: async (decision, { headers }) => {
        seen.push([decision.reason, headers['x-purchase-code']])
        if (decision.status === 401) return undefined
        return Response.json({ message: explain(decision, 'pt') }, decision.response())
      },
    })
    const response = await get({ 'x-purchase-code': code })
    expect([response.status, await response.json()]).toEqual([
      403,
      { message: 'O código de compra é de outro item.' },
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await (await get()).json()).toEqual({ error: 'missing_code' })
    expect(seen).toEqual([
      ['wrong_item', code],
      ['missing_code', undefined],
    ])
    expect(handled.purchases).toEqual([])
  })

  it('sends every cookie of a response, beside those of the program', async () => {
    const headers = [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
    ] as [string, string][]
    const { get } = await setup({ onDenied: () => new Response('no', { status: 403, headers }) })
    const response = await get()
    expect(response.headers.getSetCookie()).toEqual(['own=0', ...headers.map(([, cookie]) => cookie)])
  })

  it('leaves an error of onDenied to the framework', async () => {
    const { get, handled } = await setup({
      onDenied() {
        throw new Error('cannot answer')
      },
    })
    expect((await get()).status).toBe(500)
    expect(handled.purchases).toEqual([])
  })

  it('does not run the handler for a client that closed the connection during the check', async () => {
    const released = Promise.withResolvers<void>()
    const abort = new AbortController()
    const { get, code, handled, closedEarly } = await setup({}, () => {
      abort.abort()
      return released.promise
    })
    const headers = { 'x-purchase-code': code }
    await expect(get(headers, { signal: abort.signal })).rejects.toThrow()
    await expect.poll(closedEarly).toBe(1)
    released.resolve()
    expect((await get(headers)).status).toBe(200)
    expect(handled.purchases).toHaveLength(1)
  })
})

it('readCode of each framework has the type and the body of its own request', async () => {
  const mockApi = createMockApi()
  const { baseUrl, apiKey, fetch } = mockApi
  const gate = createGate({ client: createClient({ baseUrl, apiKey, fetch }), onUnknown: 'deny' })
  const options = { gate }
  const code = mockApi.sell(101)

  const expressApp = express()
  const fromExpress = expressGuard({ ...options, readCode: (request: ExpressRequest) => request.body.code })
  expressApp.post(
    '/download',
    express.json(),
    fromExpress,
    (_, response) => void response.send('the product'),
  )
  const fastifyApp = fastify()
  const readFastify = ({ body }: FastifyRequest) => Object(body).code
  fastifyApp.addHook('preHandler', fastifyGuard({ ...options, readCode: readFastify }))
  fastifyApp.post('/download', async () => 'the product')
  await fastifyApp.ready()
  onTestFinished(() => fastifyApp.close())
  const koaApp = new Koa()
  koaApp.use(koaGuard({ ...options, readCode: (request: Koa.Request) => request.get('code') }))
  koaApp.use((context) => {
    context.body = 'the product'
  })

  for (const app of [expressApp as unknown as RequestListener, fastifyApp.routing, koaApp.callback()]) {
    const { url, close } = await listen(app)
    onTestFinished(close)
    const headers = { 'content-type': 'application/json', code }
    const response = await globalThis.fetch(`${url}/download`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ code }),
    })
    expect([response.status, await response.text()]).toEqual([200, 'the product'])
  }
})

it('the guard for Express passes on what `next` throws', async () => {
  const mockApi = createMockApi()
  const client = createClient({ baseUrl: mockApi.baseUrl, apiKey: mockApi.apiKey, fetch: mockApi.fetch })
  const guard = expressGuard({ gate: createGate({ client, onUnknown: 'deny' }) })
  const response = { statusCode: 0, setHeader() {}, appendHeader() {}, end() {}, once() {} }
  const calls: unknown[] = []
  const thrown = new Error('a broken handler')
  await new Promise<void>((resolve) => {
    guard({ headers: { 'x-purchase-code': mockApi.sell(101) } }, response, (error) => {
      calls.push(error)
      if (!error) throw thrown
      resolve()
    })
  })
  expect(calls).toEqual([undefined, thrown])
})
