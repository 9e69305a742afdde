import { Agent, createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@saleproof/schema'
import fc from 'fast-check'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { get, type Header, post, type Sent } from '../../../test/support/request-texts.ts'
import { ApiError } from '../../http/api-error.ts'
import { keepBody, readBody } from '../../http/body.ts'
import type { RequestContext, RequestState } from '../../http/state.ts'
import { validateRequest } from '../../http/validate-request.ts'
import {
  type RequiredParameters,
  readApiKey,
  readPass,
  readShape,
  requiredParameters,
} from '../parameters.ts'
import { readSmallBody } from './fast-path.ts'
import { isComplete, readRequest, takeBody } from './request.ts'

/** What a parser makes of a request: the parameters that its operation needs, and the headers that decide. */
interface Reading {
  operation: string
  apiKey: string
  parameters: object
  shape: string | undefined
  pass: readonly string[]
  language: string | undefined
  encoding: string | undefined
  ifNoneMatch: string | undefined
  requestId: string | undefined
}

interface Readings {
  /** Undefined where the fast path leaves the request to the routes. */
  fast?: Reading
  /** The error code, where the routes reject it. */
  routes: Reading | string
}

const acceptableId = /^[A-Za-z0-9._-]{1,64}$/
const acceptable = (id: string | undefined) => (id !== undefined && acceptableId.test(id) ? id : undefined)

/** Reads the request as the fast path does, and leaves the body for the routes as it does. */
async function readAsFastPath(ctx: RequestContext): Promise<Reading | undefined> {
  const request = readRequest(ctx.req, '')
  if (!request) return undefined
  const { operation, parameters } = request
  if (operation.method === 'POST') {
    if (request.body === undefined || request.bodyLength === 0) return undefined
    const bytes = await readSmallBody(ctx.req)
    keepBody(ctx.req, bytes)
    if (!(bytes instanceof Buffer) || !takeBody(request, bytes)) return undefined
  }
  if (!isComplete(request)) return undefined
  return {
    operation: operation.name,
    apiKey: request.parameters.api_key,
    parameters: Object.fromEntries(operation.required.map((name) => [name, parameters[name]])),
    shape: parameters.shape,
    pass: operation.method === 'POST' ? (parameters.pass ?? []) : [],
    language: request.acceptLanguage,
    encoding: request.acceptEncoding,
    ifNoneMatch: request.ifNoneMatch,
    requestId: acceptable(request.requestId),
  }
}

/** Reads the request as the routes do, in their order. */
async function readAsRoutes(ctx: RequestContext): Promise<Reading | string> {
  const operation = Object.values(operations).find(
    ({ method, path }) => method === ctx.method && path === ctx.path,
  )
  if (!operation) return 'route_not_found'
  const { headers } = ctx.req
  ctx.state.body = []
  try {
    await validateRequest()(ctx, async () => {})
    if (ctx.method === 'POST') ctx.state.body = await readBody(ctx)
    const apiKey = readApiKey(ctx)
    const shape = readShape(ctx)
    const parameters: RequiredParameters<typeof operation.name> = requiredParameters(ctx, operation.name)
    return {
      operation: operation.name,
      apiKey,
      parameters,
      shape,
      pass: ctx.method === 'POST' ? readPass(ctx) : [],
      language: headers['accept-language'],
      encoding: headers['accept-encoding'] as string | undefined,
      ifNoneMatch: headers['if-none-match'],
      requestId: acceptable(headers['x-request-id'] as string | undefined),
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code
  }
}

const app = new Koa<RequestState>()
app.use(async (ctx) => {
  const fast = await readAsFastPath(ctx)
  const routes = await readAsRoutes(ctx)
  ctx.body = { fast, routes }
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

describe('the fast path', () => {
  test.each([
    ['GET', get],
    ['POST', post],
  ] as const)('reads a request as the routes do, or leaves it to them: %s', async (_method, arbitrary) => {
    let taken = 0
    let rejected = 0
    const property = fc.asyncProperty(arbitrary, async (sent) => {
      const { fast, routes } = await read(sent)
      if (typeof routes === 'string') rejected++
      if (!fast) return
      taken++
      expect(fast).toEqual(routes)
    })
    await fc.assert(property, { numRuns: 2000 })
    // Otherwise nothing was compared.
    expect(taken).toBeGreaterThan(200)
    expect(rejected).toBeGreaterThan(200)
  })

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
    [
      'GET',
      `${operations.getItem.path}?item_id=101&shape=base`,
      { parameters: { item_id: 101 }, shape: 'base' },
    ],
  ])('takes %s %s', async (method, path, expected) => {
    const { fast, routes } = await read({ method, path, headers: [k] })
    expect(fast).toMatchObject({ apiKey: 'k', ...expected })
    expect(routes).toEqual(fast)
  })

  test.each([
    ['application/json', '{"purchase_code":"AB-CD","shape":"base","more":{"a":[1]}}'],
    [
      'application/json; charset=utf-8',
      '{\n  "api_key": "k",\n  "purchase_code": "AB-CD",\n  "shape": "base"\n}',
    ],
    ['application/x-www-form-urlencoded', 'api_key=k&purchase_code=AB-CD&shape=base'],
  ])('takes POST %s %s', async (type, text) => {
    const { fast, routes } = await read(typed(type, text))
    expect(fast).toMatchObject({ apiKey: 'k', parameters: { purchase_code: 'AB-CD' }, shape: 'base' })
    expect(routes).toEqual(fast)
  })

  test.each(['{"purchase_code":"AB-CD"}', '{"purchase_code": "AB-CD"}'])(
    'takes a code alone: %s',
    async (text) => {
      const { fast, routes } = await read(typed('application/json', text))
      expect(fast).toMatchObject({ apiKey: 'k', parameters: { purchase_code: 'AB-CD' } })
      expect(routes).toEqual(fast)
    },
  )

  test('takes several signing keys of a form, as a program with an old and a new one sends them', async () => {
    const pass = ['abcdefghijklmnop', 'ABCDEFGHIJKLMNOP']
    const form = new URLSearchParams({ purchase_code: 'C', pass: pass.join() })
    const { fast, routes } = await read(typed('application/x-www-form-urlencoded', `${form}`))
    expect(fast).toMatchObject({ pass })
    expect(routes).toEqual(fast)
  })

  test('takes the signing keys of a header, and leaves those of a parameter beside it to the routes', async () => {
    const [alone, both] = ['{"purchase_code":"C"}', '{"purchase_code":"C","pass":"pNBYO_x9mXC8sTzF,x"}'].map(
      (text) => typed('application/json', text),
    )
    for (const { headers } of [alone!, both!])
      headers.push(['Prefer', 'wait=1, pass=abcdefghijklmnop,ABCDEFGHIJKLMNOP;x'])
    const named = ['abcdefghijklmnop', 'ABCDEFGHIJKLMNOP']
    const { fast, routes } = await read(alone!)
    expect(fast).toMatchObject({ pass: named })
    expect(routes).toEqual(fast)
    expect(await read(both!)).toEqual({ routes: { ...fast, pass: [...named, 'pNBYO_x9mXC8sTzF'] } })
  })

  test.each([
    ['{"purchase_code":"C","purchase_code":"D"}', 'invalid_parameter'],
    ['{"purchase_code":"C","purchase_code[]":"D"}', 'invalid_parameter'],
    ['{"purchase_code":"C","api_key[a]":"k"}', 'conflicting_api_keys'],
    ['{"purchase_code":"C","\\u0070urchase_code":"D"}', 'invalid_parameter'],
    ['{"purchase_code":["C"]}', 'invalid_parameter'],
    ['{"purchase_code":"C","shape":null}', 'invalid_parameter'],
    ['[{"purchase_code":"C"}]', 'malformed_body'],
    ['{"purchase_code":"C"} x', 'malformed_body'],
  ])('leaves to the routes what they reject: %s', async (text, code) => {
    expect(await read(typed('application/json', text))).toEqual({ routes: code })
  })
})
