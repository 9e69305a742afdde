import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { identify } from '../src/identify.ts'
import { findSettings } from '../src/identity.ts'
import { createClient, type PurchaseCheck } from '../src/index.ts'
import { createPublishableClient } from '../src/publishable.ts'
import { apiKey, bodies, code, purchaseBase, refusal } from './records.ts'
import { serve } from './server.ts'

const baseUrl = 'https://market.example.com'
const options = { baseUrl, apiKey, maxRetries: 0 }

/** A response as `fetch` of React Native gives it: without a stream. */
const withoutStream = (response: Response) => ({
  status: response.status,
  ok: response.ok,
  headers: { get: (name: string) => response.headers.get(name) },
  text: () => response.text(),
})

const refused = (reason: string) => ({ status: 404, headers: { 'X-Error-Code': reason } })

/** What of a check does not differ from one to the next. */
const outcomeOf = (check: PurchaseCheck) =>
  JSON.parse(JSON.stringify(check, (name, value) => (name === 'requestId' ? '' : value)))

describe('a publishable client', () => {
  it('validates', async () => {
    await using server = await serve(() => ({ body: bodies.purchase }))
    const client = createPublishableClient({ ...options, baseUrl: server.url, shape: 'base' })
    expect(await client.checkPurchase(code, { itemId: 101 })).toEqual({
      outcome: 'valid',
      purchase: purchaseBase,
    })
    expect(await client.checkPurchase(code, { itemId: 7 })).toMatchObject({ reason: 'wrong_item' })
    for (const { method, path, query, form, headers } of server.received) {
      expect({ method, path, query }).toEqual({
        method: 'POST',
        path: '/api/purchases/validation',
        query: {},
      })
      expect(form).toEqual({ purchase_code: code, shape: 'base' })
      expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}` })
    }
  })

  it('refuses a generated secret key, and takes imported keys of any form', async () => {
    const secret = `sp_${'a1B'.repeat(12)}xy`
    const create = (apiKey: string) => createPublishableClient({ ...options, apiKey })
    expect(() => create(secret)).toThrow(expect.objectContaining({ kind: 'configuration' }))
    for (const key of [`spp_${'a1B'.repeat(12)}xy`, 'sp_of_another_system', apiKey])
      expect(() => create(key)).not.toThrow()
    expect(() => createClient({ ...options, apiKey: secret })).not.toThrow()
    const late = createPublishableClient({ ...options, apiKey: async () => secret })
    expect(await late.checkPurchase(code)).toMatchObject({ error: { code: 'key_unavailable' } })
  })

  it('can do nothing else, cannot be changed and does not show its key', () => {
    const client = createPublishableClient(options)
    expect(Object.keys(client).sort()).toEqual(['checkPurchase'])
    expect(Object.isFrozen(client)).toBe(true)
    expect(JSON.stringify(client) + String(client)).not.toContain(apiKey)
  })

  it('is what a gate takes', async () => {
    await using server = await serve(() => ({ body: bodies.purchase }))
    const client = createPublishableClient({ ...options, baseUrl: server.url })
    const gate = createGate({ client, onUnknown: 'deny' })
    await gate.check(code)
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', purchase: { purchase_code: code } })
    expect(server.received).toHaveLength(1)
  })

  it('has the identity of a client with the same options', async () => {
    const identity = (client: object) => identify(findSettings(client)!)
    expect(await identity(createPublishableClient(options))).toBe(await identity(createClient(options)))
  })

  it.each([
    'https://a.example',
    'HTTPS://A.example:8443/shop/',
    'http://localhost:3000',
    'http://[::1]:3000/x',
  ])('takes the address %s as a client does', async (address) => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return Response.json(bodies.purchase)
    }
    await createPublishableClient({ ...options, baseUrl: address, fetch }).checkPurchase(code)
    await createClient({ ...options, baseUrl: address, fetch }).checkPurchase(code)
    expect(asked[0]).toBe(asked[1])
  })

  const addresses = ['', 'market.example.com', 'http://market.example.com', 'https://', 'ftp://a.example']
  const strange = [
    'https://a:b@c.example',
    'https://a.example?x',
    'https://a.example#x',
    'https://a b',
    'https:\\\\a',
  ]
  it.each([...addresses, ...strange])('refuses the address %j', (address) => {
    const create = () => createPublishableClient({ ...options, baseUrl: address })
    expect(create).toThrow(expect.objectContaining({ kind: 'configuration' }))
    expect(create).toThrow('baseUrl')
  })

  it('takes http: where it is allowed', () => {
    const insecure = { ...options, baseUrl: 'http://api:3000' }
    expect(() => createPublishableClient(insecure)).toThrow('allowInsecureHttp')
    expect(() => createPublishableClient({ ...insecure, allowInsecureHttp: true })).not.toThrow()
  })
})

describe('without a stream', () => {
  const clientOf = (fetch: () => Promise<unknown>, more: object = {}) =>
    createPublishableClient({ ...options, ...more, fetch: fetch as typeof globalThis.fetch })

  const text = fc.oneof(
    fc.constantFrom(
      ...[bodies.purchase, bodies.purchaseExtended, bodies.item].map((body) => JSON.stringify(body)),
    ),
    fc
      .constantFrom('Invalid purchase code', 'Not found', 'x')
      .map((msg) => JSON.stringify({ status: 'error', msg })),
    fc.string({ unit: 'grapheme' }),
    fc.json(),
  )
  const responses = fc.record({
    text,
    // 404 more often: few of them are an invalid result.
    status: fc.constantFrom(
      ...Array(8).fill(404),
      200,
      200,
      201,
      206,
      301,
      400,
      401,
      403,
      404,
      429,
      500,
      503,
    ),
    headers: fc.dictionary(
      fc.constantFrom('X-Error-Code', 'Retry-After', 'X-Request-Id'),
      fc.constantFrom('purchase_not_found', 'purchase_not_active', 'rate_limited', '3', ''),
    ),
  })

  it('has the outcome of a client that has streams', async () => {
    const seen = new Set<string>()
    const property = fc.asyncProperty(responses, async ({ text, status, headers }) => {
      const answer = async () => new Response(text, { status, headers })
      const server = createClient({ ...options, fetch: answer })
      const page = clientOf(answer)
      const app = clientOf(async () => withoutStream(await answer()))
      const [expected, ...found] = await Promise.all(
        [server, page, app].map(async (client) => outcomeOf(await client.checkPurchase(code))),
      )
      seen.add(expected?.outcome ?? '')
      for (const each of found) expect(each).toEqual(expected)
    })
    const sale = { text: JSON.stringify(bodies.purchase), status: 200, headers: {} }
    await fc.assert(property, { numRuns: 500, examples: [[sale]] })
    expect([...seen].sort()).toEqual(['invalid', 'unknown', 'valid'])
  })

  it('reads the text where a body is no stream of the web', async () => {
    const response = { ...withoutStream(Response.json(bodies.purchase)), body: { pipe: () => {} } }
    expect(await clientOf(async () => response).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  })

  it('refuses a response that turns out to be too large', async () => {
    const client = clientOf(async () => withoutStream(new Response(' '.repeat(1_048_577))))
    expect(await client.checkPurchase(code)).toMatchObject({ error: { code: 'too_large' } })
  })

  it('is unknown where the text fails', async () => {
    const response = { ...withoutStream(new Response('')), text: () => Promise.reject(new Error('reset')) }
    expect(await clientOf(async () => response).checkPurchase(code)).toMatchObject({
      error: { kind: 'connection' },
    })
  })

  it('stops to read a stream that is too large', async () => {
    let chunks = 0
    let canceled = false
    const endless = new ReadableStream({
      pull: (controller) => {
        chunks += 1
        controller.enqueue(new Uint8Array(65_536))
      },
      cancel: () => {
        canceled = true
      },
    })
    const client = clientOf(async () => new Response(endless))
    expect(await client.checkPurchase(code)).toMatchObject({ error: { code: 'too_large' } })
    expect(chunks).toBeLessThan(20)
    expect(canceled).toBe(true)
  })
})

describe('in an engine that has nothing but the language', () => {
  const contents = `export * from '../src/publishable.ts'; export * from '../src/gate/index.ts'`

  /** The client and the gate as one script. */
  async function bundle() {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'saleproof',
      conditions: ['@saleproof/source'],
      logLevel: 'error',
    })
    return outputFiles[0]?.text ?? ''
  }

  /** What React Native 0.79 adds to the language, with its gaps: its `URL` parses nothing, and `URLSearchParams` takes records alone. */
  function globals(answer: () => Response) {
    const sent: { url: string; body: unknown }[] = []
    const fetch = async (url: string, { body }: RequestInit) => {
      sent.push({ url, body })
      return withoutStream(answer())
    }
    const missing = () => {
      throw new Error('not implemented')
    }
    class SearchParams {
      readonly #text: string
      constructor(record: Record<string, string>) {
        const pairs = Object.entries(record).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        this.#text = pairs.join('&')
      }
      toString = () => this.#text
    }
    const polyfills = {
      fetch,
      setTimeout,
      clearTimeout,
      AbortController,
      performance: { now: () => Date.now() },
    }
    return { sent, scope: { ...polyfills, URL: missing, URLSearchParams: SearchParams, window: {} } }
  }

  async function run(action: string, answer: () => Response) {
    const { sent, scope } = globals(answer)
    const settings = JSON.stringify({ ...options, baseUrl: 'https://market.example.com/shop' })
    const script = `${await bundle()}; const client = saleproof.createPublishableClient(${settings}); ${action}`
    const found: unknown = await runInNewContext(script, scope)
    return { found: JSON.parse(JSON.stringify(found)), sent }
  }

  it('checks a purchase', async () => {
    const odd = 'A&B=1 %é+'
    const stored = { ...purchaseBase, purchase_code: odd }
    const { found, sent } = await run(`client.checkPurchase(${JSON.stringify(odd)})`, () =>
      Response.json({ status: 'success', data: { purchase: stored } }),
    )
    expect(found).toMatchObject({ outcome: 'valid', purchase: { purchase_code: odd } })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe('https://market.example.com/shop/api/purchases/validation')
    expect([...new URLSearchParams(String(sent[0]?.body))]).toEqual([['purchase_code', odd]])
  })

  it('knows an invalid purchase and an outage', async () => {
    const no = () => Response.json(refusal(), refused('purchase_not_found'))
    expect((await run(`client.checkPurchase('x')`, no)).found).toMatchObject({ reason: 'purchase_not_found' })
    const down = () => new Response('<html>', { status: 502 })
    expect((await run(`client.checkPurchase('x')`, down)).found).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'server', status: 502 },
    })
  })

  it('has a gate that asks once, and has grace in an outage', async () => {
    const answers = [Response.json(bodies.purchase), new Response('', { status: 503 })]
    const action = `(async () => {
      let now = 1e12
      const gate = saleproof.createGate({ client, onUnknown: { allowCachedMs: 3_600_000 }, ttlMs: 60_000, now: () => now })
      const found = [await gate.check('${code}'), await gate.check('${code}')]
      now += 120_000
      found.push(await gate.check('${code}'))
      return found.map(({ outcome, source }) => [outcome, source])
    })()`
    const { found, sent } = await run(action, () => answers.shift() ?? Response.error())
    expect(found).toEqual([
      ['valid', 'api'],
      ['valid', 'cache'],
      ['valid', 'grace'],
    ])
    expect(sent).toHaveLength(2)
  })
})
