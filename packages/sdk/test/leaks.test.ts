import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createGate, type GateEvent, sealStore } from '../src/gate/index.ts'
import { type ClientOptions, createClient, type SaleproofError } from '../src/index.ts'
import { apiKey, bodies, code } from './records.ts'
import { serve } from './server.ts'

const tellAll = (value: unknown): string =>
  [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value, Object.getOwnPropertyNames(Object(value))),
    JSON.stringify(value),
    String(value),
    value instanceof Error
      ? `${value.stack}${inspect(value.cause, { depth: Infinity, showHidden: true })}`
      : '',
  ].join('\n')

const secrets = [apiKey, apiKey.slice(5, 15), code, code.slice(5, 14)]

function expectNoSecret(text: string) {
  for (const secret of [...secrets, ...echoes]) expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
}

const rejected = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it resolved'),
    (error) => error as Error,
  )

/** The key and the code in every form that a proxy or a debug page gives them. */
const echoes = [
  apiKey,
  apiKey.toUpperCase(),
  apiKey.slice(0, 12),
  btoa(`Bearer ${apiKey}`),
  encodeURIComponent(code),
  code.toLowerCase(),
  code.replaceAll('-', '+'),
]

const echo = () => ({
  status: 401,
  headers: {
    'x-error-code': apiKey,
    'x-request-id': apiKey.slice(0, 20),
    ratelimit: `"${apiKey}";r=0;t=9`,
    'retry-after': code,
  },
  body: { status: 'error', msg: `Unknown key for ${echoes.join(' ')}`, key: apiKey },
})

it('prints no key with the client: inspect, JSON, String', () => {
  const client = createClient({ baseUrl: 'https://market.example.com', apiKey })
  for (const value of [client, client.checkPurchase, createGate({ client, onUnknown: 'deny' })])
    expectNoSecret(tellAll(value))
})

it('reveals no key to structuredClone', () => {
  const client = createClient({ baseUrl: 'https://market.example.com', apiKey })
  try {
    expectNoSecret(tellAll(structuredClone(client)))
  } catch (error) {
    expectNoSecret(tellAll(error))
  }
})

it.each([200, 302, 400, 401, 404, 429, 503])(
  'prints no text of a response with an error: message, stack, JSON, after %i',
  async (status) => {
    await using server = await serve(() => ({ ...echo(), status }))
    for (const keyPlacement of ['header', 'parameter'] as const) {
      const client = server.client({ keyPlacement })
      expectNoSecret(tellAll(await rejected(client.validatePurchase(code))))
      expectNoSecret(tellAll(await client.checkPurchase(code)))
      expectNoSecret(tellAll(await rejected(client.getAccount())))
    }
  },
)

it('names the codes and limits that the API has, and a request id that it made', async () => {
  await using server = await serve(({ headers }) => ({
    status: 429,
    headers: { 'x-error-code': 'no_items', ratelimit: '"key-failures";r=0;t=9', 'retry-after': '9' },
    body: { status: 'error', msg: String(headers['x-request-id']) },
  }))
  const error = await rejected(server.client().validatePurchase(code))
  const { requestId } = error as SaleproofError
  expect(error).toMatchObject({ code: 'no_items', retryable: false, retryAfterMs: 9_000 })
  expect(requestId).toMatch(/^[a-z0-9]{6,}$/)
  expect(server.received[0]?.headers['x-request-id']).toBe(requestId)
})

it('prints no key and no code when the key is a parameter and the connection fails', async () => {
  for (const baseUrl of ['http://127.0.0.1:9', 'https://saleproof.invalid']) {
    const client = createClient({ baseUrl, apiKey, keyPlacement: 'parameter', maxRetries: 0 })
    expectNoSecret(tellAll(await rejected(client.getAccount())))
    expectNoSecret(tellAll(await rejected(client.validatePurchase(code))))
  }
})

it('prints nothing of an error of fetch', async () => {
  const fetch = (url: string, init: RequestInit) => {
    const headers = JSON.stringify(init.headers)
    const cause = Object.assign(new Error(headers), { code: headers, url })
    return Promise.reject(
      Object.assign(new TypeError(`${url} ${headers} ${init.body}`), { cause, code: url, config: init }),
    )
  }
  const client = createClient({ baseUrl: 'https://market.example.com', apiKey, maxRetries: 0, fetch })
  const error = await rejected(client.validatePurchase(code))
  expect(error).toMatchObject({ kind: 'connection' })
  expectNoSecret(tellAll(error))
})

it.each([
  ['a newline', `${apiKey.slice(0, 12)}\n${apiKey.slice(12)}`],
  ['a zero-width space', `${apiKey.slice(0, 12)}\u200b${apiKey.slice(12)}`],
  ['a space', `${apiKey.slice(0, 12)} ${apiKey.slice(12)}`],
  ['a letter outside ASCII', `${apiKey}é`],
])('refuses a key with %s inside and does not print it', async (_, broken) => {
  const text = (error: unknown) => tellAll(error)
  const parts = [apiKey.slice(0, 12), apiKey.slice(12)]
  const given = (key: () => unknown) => {
    try {
      return key()
    } catch (error) {
      return error
    }
  }
  const direct = given(() => createClient({ baseUrl: 'https://market.example.com', apiKey: broken }))
  const late = await rejected(
    createClient({ baseUrl: 'https://market.example.com', apiKey: () => broken }).getAccount(),
  )
  expect(direct).toMatchObject({ kind: 'configuration' })
  expect(late).toMatchObject({ kind: 'connection', code: 'key_unavailable' })
  for (const error of [direct, late]) {
    for (const part of parts) expect(text(error)).not.toContain(part)
  }
})

it('accepts a key with surrounding white space', async () => {
  await using server = await serve(() => ({ body: bodies.account }))
  await server.client({ apiKey: ` ${apiKey}\r\n` }).getAccount()
  expect(server.received[0]!.headers.authorization).toBe(`Bearer ${apiKey}`)
})

it('repeats no value of an invalid option', () => {
  const wrong = {
    baseUrl: `https://user:${apiKey}@market.example.com`,
    apiKey,
    keyPlacement: apiKey as 'header',
    shape: apiKey as 'base',
  }
  for (const name of ['baseUrl', 'keyPlacement', 'shape'] as const) {
    const options = { baseUrl: 'https://market.example.com', apiKey, [name]: wrong[name] }
    expect(() => createClient(options)).toThrow(expect.objectContaining({ kind: 'configuration' }))
    try {
      createClient(options)
    } catch (error) {
      expectNoSecret(tellAll(error))
    }
  }
})

describe('the code of a connection error', () => {
  const codeOf = async (thrown: unknown, options: Partial<ClientOptions> = {}) => {
    const fetch = () => Promise.reject(thrown)
    const defaults = { baseUrl: 'https://market.example.com', apiKey, maxRetries: 0, fetch }
    const error = await rejected(createClient({ ...defaults, ...options }).validatePurchase(code))
    expect(error).toMatchObject({ kind: 'connection' })
    expectNoSecret(tellAll(error))
    return (error as SaleproofError).code
  }

  it('is that of the system, or none', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' })
    expect(await codeOf(new TypeError('fetch failed', { cause: refused }))).toBe('ECONNREFUSED')
    expect(await codeOf(refused)).toBe('ECONNREFUSED')
    expect(await codeOf(new ReferenceError('proxyAgent is not defined'))).toBeUndefined()
  })

  it.each([
    undefined,
    null,
    'boom',
    7,
    { code: apiKey },
    { code },
    { name: apiKey },
    { cause: { code: apiKey } },
    { code: ['ECONNREFUSED'] },
    { code: Object.create(null) },
  ])('is absent where neither is known: %o', async (thrown) => {
    expect(await codeOf(thrown)).toBeUndefined()
  })

  it('is not a purchase code that looks like one of the system', async () => {
    const fetch = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ABCDEFGH' }))
    const client = createClient({ baseUrl: 'https://market.example.com', apiKey, maxRetries: 0, fetch })
    expect(tellAll(await client.checkPurchase('xABCDEFGH'))).not.toContain('ABCDEFGH')
  })

  it('says nothing of what a function for the key threw', async () => {
    const apiKey = () => Promise.reject(Object.assign(new RangeError('token s.9aXb'), { code: 's.9aXb' }))
    expect(await codeOf(undefined, { apiKey })).toBe('key_unavailable')
  })
})

it('reports no code and nothing that is attached to the error of a store', async () => {
  const events: GateEvent[] = []
  await using server = await serve(() => ({ body: bodies.purchase }))
  const attached = { command: { name: 'auth', args: [apiKey] } }
  const broken = () => Promise.reject(Object.assign(new Error('READONLY replica'), attached))
  const store = sealStore({ get: broken, set: broken, delete: broken }, { pepper: 'p'.repeat(32) })
  const log = (event: GateEvent) => {
    events.push(event)
    throw new Error('the log is full')
  }
  const gate = createGate({ client: server.client(), onUnknown: 'deny', store, log })
  expect(await gate.check(code)).toMatchObject({ outcome: 'valid' })
  expect(events).toContainEqual({
    event: 'store-error',
    error: { name: 'Error', message: 'READONLY replica' },
  })
  for (const event of events) expectNoSecret(tellAll(event))
})
