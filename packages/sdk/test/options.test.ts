import { describe, expect, it } from 'vitest'
import { createGate, createRedisStore, sealStore } from '../src/gate/index.ts'
import { createGuard } from '../src/guard.ts'
import { type ClientOptions, checkPurchase, createClient, isSaleproofError } from '../src/index.ts'
import { createFileStore, expressGuard } from '../src/node/index.ts'
import { createPublishableClient } from '../src/publishable.ts'
import { createMockApi } from '../src/testing/index.ts'
import { apiKey, bodies, code } from './records.ts'
import { serve } from './server.ts'

const good = { baseUrl: 'https://market.example.com', apiKey }
const configuration = expect.objectContaining({ kind: 'configuration' })

it.each([
  'https://market.example.com',
  'https://market.example.com/shop/',
  'https://market.example.com:8443/a/b',
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000/x',
  new URL('https://market.example.com/shop'),
])('takes the address %s', (baseUrl) => {
  expect(() => createClient({ ...good, baseUrl })).not.toThrow()
})

it.each([
  'http://market.example.com',
  'http://127.0.0.1.example.com',
  'http://127.example.com',
  'http://localhost.example.com',
  'http://localhost@example.com',
  'http://notlocalhost',
  'https://user@market.example.com',
  'https://user:pass@market.example.com',
  'https://market.example.com?api_key=x',
  'https://market.example.com#x',
  'https://',
  'https:///',
  'http://localhost\\@example.com',
  'ftp://market.example.com',
  'market.example.com',
  '/api',
  '',
  undefined,
])('refuses the address %s', (baseUrl) => {
  expect(() => createClient({ ...good, baseUrl: baseUrl as string })).toThrow(configuration)
})

it.each<Partial<Record<keyof ClientOptions, unknown>>>([
  { apiKey: '' },
  { apiKey: ' ' },
  { apiKey: undefined },
  { apiKey: null },
  { apiKey: 'x'.repeat(256) },
  { shape: 'full' },
  { shape: '' },
  { keyPlacement: 'query' },
  { timeoutMs: 0 },
  { timeoutMs: -1 },
  { timeoutMs: Number.NaN },
  { timeoutMs: Number.POSITIVE_INFINITY },
  { timeoutMs: 2 ** 31 },
  { totalTimeoutMs: 1.5 },
  { maxRetries: -1 },
  { maxRetries: 10 },
  { maxRetries: 0.5 },
])('refuses the option %o', (option) => {
  expect(() => createClient({ ...good, ...option } as ClientOptions)).toThrow(configuration)
})

it.each([
  'http://api:3000',
  'http://market.example.com/shop',
  'http://10.0.0.7:8080',
  'http://api.default.svc.cluster.local',
])('takes the address %s with allowInsecureHttp alone', (baseUrl) => {
  expect(() => createClient({ ...good, baseUrl, allowInsecureHttp: true })).not.toThrow()
  for (const allowInsecureHttp of [undefined, false, 'true', 'false', 1]) {
    expect(() => createClient({ ...good, baseUrl, allowInsecureHttp: allowInsecureHttp as boolean })).toThrow(
      'allowInsecureHttp',
    )
  }
})

it.each([
  'http://user@api:3000',
  'http://api:3000?x',
  'http://api:3000#x',
  'ftp://api:3000',
  'api:3000',
  'http://',
  '',
])('refuses the address %s with allowInsecureHttp', (baseUrl) => {
  expect(() => createClient({ ...good, baseUrl, allowInsecureHttp: true })).toThrow(configuration)
})

it('sends a request over http: when allowed', async () => {
  let asked = ''
  const fetch = async (url: string) => {
    asked = url
    return Response.json(bodies.account)
  }
  await createClient({ baseUrl: 'http://api:3000/', apiKey, fetch, allowInsecureHttp: true }).getAccount()
  expect(asked).toBe('http://api:3000/api/account/details')
})

describe('without TypeScript', () => {
  // What the compiler would refuse.
  const wrong = (value: unknown) => value as never
  const named = (name: string) =>
    expect.objectContaining({ kind: 'configuration', message: expect.stringContaining(`\`${name}\``) })

  it('names the first option that is missing', async () => {
    for (const [options, baseUrl, client] of [
      [undefined, 'options', 'options'],
      [{}, 'baseUrl', 'client'],
    ] as const) {
      expect(() => createClient(wrong(options))).toThrow(named(baseUrl))
      expect(() => createPublishableClient(wrong(options))).toThrow(named(baseUrl))
      await expect(checkPurchase(wrong(options), code)).rejects.toEqual(named(baseUrl))
      expect(() => createGate(wrong(options))).toThrow(named(client))
    }
  })

  it('says what is missing, what is unknown and what is invalid', async () => {
    const create = (options: object) => () => createClient({ ...good, ...options } as ClientOptions)
    for (const none of [undefined, null, '', ' \n']) {
      expect(create({ apiKey: none })).toThrow('Check `apiKey`: it is missing.')
    }
    for (const none of [undefined, null, '', '/']) {
      expect(create({ baseUrl: none })).toThrow('Check `baseUrl`: it is missing.')
    }
    expect(create({ apiKey: 'a key' })).toThrow('Check `apiKey`: it is invalid.')
    expect(create({ timeout: 5 })).toThrow('Check `timeout`: it is unknown.')
    expect(create({ validate: { getItems: {} } })).toThrow('Check `validate`: it is invalid.')
    expect(() => createGate({ client: createClient(good) } as never)).toThrow(
      'Check `onUnknown`: it is missing.',
    )
    expect(() => sealStore(Object({}), { pepper: '' })).toThrow('Check `pepper`: it is missing.')
    const options = { itemId: undefined }
    await expect(createClient(good).checkPurchase(code, options)).rejects.toThrow('`itemId`: it is missing.')
  })

  it('refuses a gate without a client, and a guard without a gate', () => {
    for (const none of [undefined, null, 7, {}]) {
      expect(() => createGate({ client: wrong(none), onUnknown: 'deny' })).toThrow(named('client'))
      expect(() => createGuard({ gate: wrong(none), itemId: 101 })).toThrow(named('gate'))
      expect(() => expressGuard({ gate: wrong(none) })).toThrow(named('gate'))
    }
  })

  it.each([new AbortController(), AbortController, true, {}, 'signal', 1_000])(
    'refuses the signal %o',
    async (signal) => {
      const isTold = named('signal')
      const options = { signal: wrong(signal), maxRetries: 0 }
      const fetch = () => new Promise<never>(() => {})
      const slow = createClient({ ...good, fetch, timeoutMs: 20, totalTimeoutMs: 20 })
      await expect(slow.checkPurchase(code, options)).rejects.toEqual(isTold)
      await expect(slow.getItem(101, options)).rejects.toEqual(isTold)
      await expect(checkPurchase({ ...good, fetch }, code, options)).rejects.toEqual(isTold)
      await expect(createGate({ client: slow, onUnknown: 'deny' }).check(code, options)).rejects.toEqual(
        isTold,
      )
      // What a timer throws would end the process: here it fails the test.
      await new Promise((resolve) => setTimeout(resolve, 60))
    },
  )

  it('takes the signal of a replacement, and null', async () => {
    const fetch = async () => Response.json(bodies.purchase)
    const replacement = Object.assign(new EventTarget(), { aborted: false })
    for (const signal of [null, undefined, new AbortController().signal, replacement]) {
      const client = createClient({ ...good, fetch })
      const options = { signal: wrong(signal) }
      expect(await client.checkPurchase(code, options)).toMatchObject({ outcome: 'valid' })
      const gate = createGate({ client, onUnknown: 'deny' })
      expect(await gate.check(code, options)).toMatchObject({ outcome: 'valid' })
    }
  })
})

describe('the message of a configuration error', () => {
  const marker = 'XyZzY'
  const wrong: Partial<Record<string, unknown>> = {
    baseUrl: `http://${marker}.example.com`,
    apiKey: `${marker}\n${marker}`,
    shape: marker,
    keyPlacement: marker,
    timeoutMs: marker,
    totalTimeoutMs: marker,
    maxRetries: marker,
  }

  function messageOf(action: () => unknown): string {
    try {
      action()
    } catch (error) {
      return isSaleproofError(error) && error.kind === 'configuration' ? error.message : ''
    }
    return expect.unreachable()
  }

  function expectSentence(message: string, name: string) {
    expect(message).toMatch(/^[A-Z].*\.$/)
    expect(message.length).toBeLessThan(300)
    expect(message).toContain(`\`${name}\``)
    expect(message.slice(0, -1)).not.toMatch(/[.!?] [A-Z]/)
    expect(message).not.toContain(marker)
    // What regular expressions are made of.
    expect(message).not.toMatch(/[\\^$[\](){}|*+]/)
  }

  it.each(Object.keys(wrong))('is one sentence that says what to do: %s', (name) => {
    expectSentence(
      messageOf(() => createClient({ ...good, [name]: wrong[name] })),
      name,
    )
  })

  it('is one sentence that says what to do: arguments', async () => {
    const client = createClient(good)
    const item = await client.getItem(0).catch((error) => error.message)
    for (const options of [{ itemID: 101 }, { item: 101 }, { item_id: 101 }]) {
      // Not in TypeScript, which knows the names. A misspelled one would let the codes of every item in.
      const [name = ''] = Object.keys(options)
      const misspelled = await client.checkPurchase(code, Object(options)).catch((error) => error.message)
      expectSentence(misspelled, name)
      const atGate = createGate({ client, onUnknown: 'deny' }).check(code, Object(options))
      expectSentence(await atGate.catch((error) => error.message), name)
    }
    const itemId = await client.checkPurchase(code, { itemId: 0 }).catch((error) => error.message)
    expectSentence(item, 'id')
    expectSentence(itemId, 'itemId')
  })
})

it('rejects an invalid option of a call', async () => {
  const client = createClient(good)
  await expect(client.checkPurchase(code, { timeoutMs: 0 })).rejects.toMatchObject({ kind: 'configuration' })
  await expect(client.getItem(1, { shape: 'full' as 'base' })).rejects.toMatchObject({
    kind: 'configuration',
  })
  await expect(client.getItem(1, { maxRetries: -1 })).rejects.toMatchObject({ kind: 'configuration' })
})

describe('an option that is unknown, misplaced or of a wrong shape', () => {
  const fetch = async () => Response.json(bodies.purchase)
  const client = createClient({ ...good, fetch })
  const gate = createGate({ client, onUnknown: 'deny' })
  const pepper = 'p'.repeat(32)
  const raw = { get: () => undefined, set: () => {}, delete: () => {} }
  const schema = { '~standard': { validate: () => ({ value: 1 }) } }
  const refused = async (create: () => unknown) =>
    expect((async () => create())()).rejects.toEqual(configuration)
  // What the compiler would refuse.
  const wrong = (value: unknown) => value as never

  it.each([
    ...[999, '101', null, true, () => {}, { itemID: 101 }, { item: 101 }, { itemId: null }, { ttl: 1 }],
    ...[{ gate: 1 }, [999], { baseUrl: 'https://evil.test' }, { apiKey: 'other' }, { fetch: () => {} }],
  ])('is refused by checks: %o', async (options) => {
    await refused(() => client.checkPurchase(code, wrong(options)))
    await refused(() => checkPurchase({ ...good, fetch }, code, wrong(options)))
    await refused(() => createPublishableClient({ ...good, fetch }).checkPurchase(code, wrong(options)))
    await refused(() => gate.check(code, wrong(options)))
  })

  it('is refused by the other calls', async () => {
    for (const options of [999, { itemId: 101 }, { timeout: 5 }, { apiKey: 'other' }]) {
      await refused(() => client.validatePurchase(code, wrong(options)))
      await refused(() => client.getItem(101, wrong(options)))
      await refused(() => client.getAccount(wrong(options)))
      await refused(() => client.listItems(wrong(options)))
    }
  })

  it.each([
    ...[{ itemId: 999 }, { timeout: 5 }, { retries: 1 }, { signal: AbortSignal.abort() }, { fetch: {} }],
    ...[{ log: true }, { invalidMessages: 'Not found' }, { validate: () => true }, { validate: null }],
    ...[{ validate: { validatePurchase: () => true } }, { validate: { validatePurchases: schema } }],
    { validate: { getItem: null } },
  ])('is refused by a client: %o', async (options) => {
    const wrongOptions = { ...good, fetch, ...(options as object) }
    await refused(() => createClient(wrongOptions))
    await refused(() => createPublishableClient(wrongOptions))
    await refused(() => checkPurchase(wrongOptions, code))
  })

  it('is `validate` of a client that only checks', async () => {
    const options = { ...good, fetch, validate: { validatePurchase: schema } }
    await refused(() => createPublishableClient(options))
    await refused(() => checkPurchase(options, code))
    expect(await createClient(options).checkPurchase(code)).toMatchObject({ outcome: 'valid' })
  })

  it.each([
    ...[{ itemId: 999 }, { ttl: 1 }, { timeout: 1 }, { log: {} }, { now: 1 }, { store: {} }],
    ...[{ onUnknown: { allowCachedMs: 1, ttlMs: 1 } }, { onUnknown: { allowCached: 1 } }],
  ])('is refused by a gate: %o', (options) =>
    refused(() => createGate({ client, onUnknown: 'deny', ...(options as object) })),
  )

  it('is refused by guards, stores and the mock API', async () => {
    await refused(() => createGuard({ gate, itemID: 101 } as never))
    await refused(() => expressGuard({ gate, readCode: 'x-code' } as never))
    await refused(() => expressGuard({ gate, onDenied: 'login.html' } as never))
    // `createGuard` gives its decision.
    await refused(() => createGuard({ gate, onDenied: () => undefined } as never))
    await refused(() => createMockApi({ record: [] } as never))
    await refused(() => sealStore(raw, { pepper, ttlMs: 1 } as never))
    await refused(() => createRedisStore(async () => null, { pepper, prefixes: '' } as never))
    await refused(() => createFileStore({ pepper, directory: 'x', maxAge: 1 } as never))
  })

  it('is none of an object that all others inherit from', async () => {
    Object.defineProperty(Object.prototype, 'ttl', { value: 1, enumerable: true, configurable: true })
    const work = createClient({ ...good, fetch }).checkPurchase(code)
    const checks = await Promise.all([work, gate.check(code, { itemId: 101 })]).finally(() =>
      Reflect.deleteProperty(Object.prototype, 'ttl'),
    )
    for (const check of checks) expect(check).toMatchObject({ outcome: 'valid' })
  })

  it('is not an option that is undefined', async () => {
    const none = { shape: undefined, signal: undefined, timeoutMs: undefined } as never
    expect(await client.checkPurchase(code, none)).toMatchObject({ outcome: 'valid' })
    expect(await gate.check(code, { signal: undefined } as never)).toMatchObject({ outcome: 'valid' })
  })
})

it('keeps the path of the address, and sends the shape', async () => {
  await using server = await serve(() => ({ body: bodies.items }))
  const client = createClient({
    baseUrl: `${server.url}/shop//`,
    apiKey,
    shape: 'base',
  })
  await client.listItems()
  await client.listItems({ shape: 'extended' }).catch(() => {})
  expect(server.received).toMatchObject([
    { path: '/shop/api/items/all', query: { shape: 'base' } },
    { path: '/shop/api/items/all', query: { shape: 'extended' } },
  ])
})

it('is frozen', () => {
  const client = createClient(good)
  expect(Object.isFrozen(client)).toBe(true)
})
