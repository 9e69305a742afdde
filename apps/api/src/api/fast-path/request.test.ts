import { Agent, createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@saleproof/schema'
import fc from 'fast-check'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../http/api-error.ts'
import { body } from '../../http/body.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { limits } from '../../http/validate-request.ts'
import { apiKeyOf, itemIdOf, purchaseCodeOf, shapeOf } from '../parameters.ts'
import { readSmallBody } from './body.ts'
import { get, type Header, post, type Sent } from './request.fixture.ts'
import { readPlain, takeBody } from './request.ts'

/** What a way of reading makes of a request: the parameters that its operation knows, and the headers that decide. */
interface Reading {
  operation: string
  key: string
  itemId?: number
  code?: string
  shape: string | undefined
  language: string | undefined
  encoding: string | undefined
  ifNoneMatch: string | undefined
  requestId: string | undefined
}

interface Readings {
  /** Undefined where the request is not plain. */
  plain?: Reading
  /** The code of the failure, where the routes refuse it. */
  routes: Reading | string
}

/** Reads the request as the fast path does, and leaves the body for the routes as it does. */
async function readAsPlain(ctx: RequestContext): Promise<Reading | undefined> {
  const request = readPlain(ctx.req, '')
  if (!request) return undefined
  const { operation } = request
  if (operation.method === 'POST') {
    if (request.body === undefined || request.bodyLength === 0) return undefined
    const bytes = await readSmallBody(ctx.req)
    ctx.state.earlyBody = bytes
    if (!(bytes instanceof Buffer) || !takeBody(request, bytes)) return undefined
  }
  const { key, itemId, code, shape, acceptLanguage, acceptEncoding, ifNoneMatch, requestId } = request
  const complete =
    key !== '' && (operation.name !== 'getItem' || itemId) && (operation.name !== 'validatePurchase' || code)
  if (!complete) return undefined
  return {
    ...{
      operation: operation.name,
      key,
      shape,
      language: acceptLanguage,
      encoding: acceptEncoding,
      ifNoneMatch,
    },
    requestId,
    ...(operation.name === 'getItem' && { itemId }),
    ...(operation.name === 'validatePurchase' && { code }),
  }
}

const acceptableId = /^[A-Za-z0-9._-]{1,64}$/

/** Reads the request as the routes do, in their order. */
async function readAsRoutes(ctx: RequestContext): Promise<Reading | string> {
  const operation = Object.values(operations).find(
    ({ method, path }) => method === ctx.method && path === ctx.path,
  )
  if (!operation) return 'route_not_found'
  const { headers } = ctx.req
  ctx.state.body = []
  try {
    await limits()(ctx, async () => {})
    await body()(ctx, async () => {})
    const key = apiKeyOf(ctx)
    const shape = shapeOf(ctx)
    const requestId = headers['x-request-id'] as string | undefined
    return {
      ...{ operation: operation.name, key, shape, language: headers['accept-language'] },
      ...{
        encoding: headers['accept-encoding'] as string | undefined,
        ifNoneMatch: headers['if-none-match'],
      },
      requestId: requestId !== undefined && acceptableId.test(requestId) ? requestId : undefined,
      ...(operation.name === 'getItem' && { itemId: itemIdOf(ctx) }),
      ...(operation.name === 'validatePurchase' && { code: purchaseCodeOf(ctx) }),
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code
  }
}

const app = new Koa<RequestState>()
app.use(async (ctx) => {
  const plain = await readAsPlain(ctx as RequestContext)
  const routes = await readAsRoutes(ctx as RequestContext)
  ctx.body = { plain, routes }
})
const server = createServer(app.callback())
const agent = new Agent({ keepAlive: true })
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  agent.destroy()
  return new Promise((resolve) => void server.close(resolve))
})

function read({ method, path, headers, body: text }: Sent): Promise<Readings> {
  const { port } = server.address() as AddressInfo
  const sent: Record<string, string[]> = {}
  for (const [name, value] of headers) sent[name] = [...(sent[name] ?? []), value]
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: sent, agent }
    const request = httpRequest(options, (response) => {
      let answer = ''
      response.setEncoding('utf8').on('data', (piece) => {
        answer += piece
      })
      // Node's parser refuses by itself, without a body.
      response.on('end', () => resolve(answer ? JSON.parse(answer) : { routes: `${response.statusCode}` }))
    })
    request.on('error', reject)
    request.end(text)
  })
}

describe('a plain request', () => {
  test.each([
    ['GET', get],
    ['POST', post],
  ] as const)(
    'says to the fast path what it says to the routes: %s',
    async (_method, arbitrary) => {
      let plainOnes = 0
      let refused = 0
      const property = fc.asyncProperty(arbitrary, async (sent) => {
        const { plain, routes } = await read(sent)
        if (typeof routes === 'string') refused++
        if (!plain) return
        plainOnes++
        expect(plain).toEqual(routes)
      })
      await fc.assert(property, { numRuns: 4000 })
      // Otherwise nothing was compared.
      expect(plainOnes).toBeGreaterThan(400)
      expect(refused).toBeGreaterThan(400)
    },
    60_000,
  )

  const k: Header = ['X-Api-Key', 'k']
  const typed = (type: string, text: string): Sent => ({
    method: 'POST',
    path: operations.validatePurchase.path,
    headers: [k, ['Content-Type', type], ['Content-Length', String(Buffer.byteLength(text))]],
    body: text,
  })

  test.each([
    ['GET', operations.getAccount.path, {}],
    ['GET', `${operations.getAccount.path}?api_key=k&utm_source=mail`, {}],
    ['GET', `${operations.listItems.path}?shape=extended`, { shape: 'extended' }],
    ['GET', `${operations.getItem.path}?item_id=101&shape=base`, { itemId: 101, shape: 'base' }],
  ])('is taken: %s %s', async (method, path, expected) => {
    const { plain, routes } = await read({ method, path, headers: [k] })
    expect(plain).toMatchObject({ key: 'k', ...expected })
    expect(routes).toEqual(plain)
  })

  test.each([
    ['application/json', '{"purchase_code":"AB-CD","shape":"base","more":{"a":[1]}}'],
    [
      'application/json; charset=utf-8',
      '{\n  "api_key": "k",\n  "purchase_code": "AB-CD",\n  "shape": "base"\n}',
    ],
    ['application/x-www-form-urlencoded', 'api_key=k&purchase_code=AB-CD&shape=base'],
  ])('is taken: POST %s %s', async (type, text) => {
    const { plain, routes } = await read(typed(type, text))
    expect(plain).toMatchObject({ key: 'k', code: 'AB-CD', shape: 'base' })
    expect(routes).toEqual(plain)
  })

  test.each(['{"purchase_code":"AB-CD"}', '{"purchase_code": "AB-CD"}'])(
    'is taken with a code alone: %s',
    async (text) => {
      const { plain, routes } = await read(typed('application/json', text))
      expect(plain).toMatchObject({ key: 'k', code: 'AB-CD' })
      expect(routes).toEqual(plain)
    },
  )

  test.each([
    ['{"purchase_code":"C","purchase_code":"D"}', 'invalid_parameter'],
    ['{"purchase_code":"C","purchase_code[]":"D"}', 'invalid_parameter'],
    ['{"purchase_code":"C","api_key[a]":"k"}', 'conflicting_api_keys'],
    ['{"purchase_code":"C","\\u0070urchase_code":"D"}', 'invalid_parameter'],
    ['{"purchase_code":["C"]}', 'invalid_parameter'],
    ['{"purchase_code":"C","shape":null}', 'invalid_parameter'],
    ['[{"purchase_code":"C"}]', 'malformed_body'],
    ['{"purchase_code":"C"} x', 'malformed_body'],
  ])('is not one that the routes refuse: %s', async (text, code) => {
    expect(await read(typed('application/json', text))).toEqual({ routes: code })
  })
})
