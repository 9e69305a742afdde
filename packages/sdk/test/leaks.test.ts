import { execFile } from 'node:child_process'
import { inspect, promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createGate, sealStore } from '../src/gate/index.ts'
import { type AttemptEvent, type ClientOptions, createClient, type SaleproofError } from '../src/index.ts'
import { redact } from '../src/secrets.ts'
import { apiKey, bodies, code, refusal } from './records.ts'
import { type Script, serve } from './server.ts'

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

const secrets = [apiKey, encodeURIComponent(apiKey), btoa(apiKey), apiKey.slice(5, 15), code]

function expectNoSecret(text: string) {
  for (const secret of secrets) expect(text).not.toContain(secret)
}

const rejected = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it resolved'),
    (error) => error as Error,
  )

const echo: Script = ({ headers, form }) => ({
  status: 401,
  headers: { 'x-error-code': apiKey, 'x-request-id': apiKey.slice(0, 20) },
  body: {
    status: 'error',
    msg: `Unknown key ${headers.authorization} for ${form.purchase_code}`,
    key: apiKey,
  },
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

it('prints no key and no code with an error: message, stack, cause, JSON', async () => {
  await using server = await serve(echo)
  const error = await rejected(server.client().validatePurchase(code))
  expect(error).toMatchObject({
    kind: 'authentication',
    code: 'unreadable',
    requestId: '…',
    response: { status: 401, body: '{"status":"error","msg":"Unknown key Bearer … for …","key":"…"}' },
  })
  expectNoSecret(tellAll(error))
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

it('passes no secret to a hook, and ignores what it throws', async () => {
  await using server = await serve((received, count) =>
    count === 1 ? echo(received, count) : { body: bodies.purchase },
  )
  const events: AttemptEvent[] = []
  const client = server.client({
    log(event) {
      events.push(event)
      throw new Error('the hook is broken')
    },
  })
  await client.checkPurchase(code)
  await client.checkPurchase(code)
  expect(events).toHaveLength(2)
  for (const event of events) expectNoSecret(tellAll(event))
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

describe('what an error shows of its cause', () => {
  const causeOf = async (thrown: unknown, options: Partial<ClientOptions> = {}) => {
    const fetch = () => Promise.reject(thrown)
    const client = createClient({
      baseUrl: 'https://market.example.com',
      apiKey,
      maxRetries: 0,
      fetch,
      ...options,
    })
    return rejected(client.validatePurchase(code))
  }

  it('is name, code and message of a mistake in the own fetch', async () => {
    const { cause } = await causeOf(new ReferenceError('proxyAgent is not defined'))
    expect(cause).toEqual({ name: 'ReferenceError', code: undefined, message: 'proxyAgent is not defined' })
  })

  it('is what Node.js says beneath "fetch failed"', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey, maxRetries: 0 })
    const { cause } = await rejected(client.getAccount())
    expect(cause).toMatchObject({ name: 'TypeError', message: expect.stringMatching(/^fetch failed: ./) })
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' })
    expect((await causeOf(new TypeError('fetch failed', { cause: refused }))).cause).toEqual({
      name: 'TypeError',
      code: 'ECONNREFUSED',
      message: 'fetch failed: connect ECONNREFUSED 10.0.0.7:443',
    })
  })

  it.each([
    ['a text', 'boom', 'boom'],
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    ['a number', 7, '7'],
  ])('is read from %s', async (_, thrown, message) => {
    expect((await causeOf(thrown)).cause).toEqual({ name: undefined, code: undefined, message })
  })

  it('is a copy: nothing of the original is reachable', async () => {
    const original = Object.assign(new Error('boom'), { request: { key: apiKey }, cause: { config: apiKey } })
    const error = await causeOf(original)
    expect(error.cause).toEqual({ name: 'Error', code: undefined, message: 'boom' })
    expectNoSecret(tellAll(error))
  })

  it('says no word of what a function for the key threw', async () => {
    const apiKey = () =>
      Promise.reject(Object.assign(new RangeError('token s.9aXb for vault'), { token: 's.9aXb' }))
    const error = await causeOf(undefined, { apiKey })
    expect(error).toMatchObject({ code: 'key_unavailable', cause: { name: 'RangeError' } })
    expect(tellAll(error)).not.toContain('9aXb')
  })
})

describe('what an error shows of the response', () => {
  const responseOf = async (body: unknown, status = 500) => {
    await using server = await serve(() => ({ status, body }))
    const error = await rejected(server.client().validatePurchase(code))
    expectNoSecret(tellAll(error))
    return (error as SaleproofError).response
  }

  it('is its status and its start', async () => {
    expect(await responseOf('<h1>Bad gateway</h1>', 502)).toEqual({
      status: 502,
      body: '<h1>Bad gateway</h1>',
    })
    expect(await responseOf(`<p>${'x'.repeat(1_000)}`)).toEqual({
      status: 500,
      body: `<p>${'x'.repeat(497)}`,
    })
  })

  it('is nothing without a body', async () => {
    expect(await responseOf('')).toBeUndefined()
    expect(
      (
        (await rejected(
          createClient({ baseUrl: 'http://127.0.0.1:9', apiKey, maxRetries: 0 }).getAccount(),
        )) as SaleproofError
      ).response,
    ).toBeUndefined()
  })

  it('keeps names, numbers and the message of JSON, but no text of a record', async () => {
    const other = 'CCCC-3333-DDDD-4444'
    const purchase = { ...bodies.purchase.data.purchase, purchase_code: other, license_type: 7 }
    for (const body of [
      JSON.stringify({ status: 'success', data: { purchase } }),
      JSON.stringify({ status: 'success', data: { purchase } }, null, 2),
      JSON.stringify({ status: 'success', note: 'a "quoted" \\ word', data: { purchase } }),
      JSON.stringify({ status: 'success', data: { purchase } }).slice(0, 70),
    ]) {
      const response = await responseOf(body, 200)
      expect(response?.body).toMatch(/"status":\s?"success"/)
      expect(response?.body).toMatch(/"purchase_code":\s?"…"/)
      expect(response?.body).not.toContain('CCCC')
      expect(response?.body).not.toContain('quoted')
    }
    expect((await responseOf({ status: 'error', msg: 'Invalid request' }, 400))?.body).toBe(
      '{"status":"error","msg":"Invalid request"}',
    )
  })

  it('has no e-mail address', async () => {
    const page =
      '<p>Ask <a href="mailto:root@shop.example.com">root@shop.example.com</a>, or jörg+x@büro.de.</p>'
    for (const body of [
      page,
      { status: 'error', msg: 'Ask root@shop.example.com' },
      { email: 'root@shop.example.com' },
    ]) {
      const shown = JSON.stringify(await responseOf(body))
      expect(shown).not.toMatch(/root|shop\.example|jörg|büro/)
    }
  })
})

describe('redact', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'aAb1-…*é% "\\'), minLength: 1, maxLength: 40 })

  it('leaves no six characters of a secret, plain or as in a URL', () => {
    fc.assert(
      fc.property(texts, texts, texts, (secret, before, after) => {
        const form = encodeURIComponent(secret)
        const shown = redact(`${before}${secret}${after}${form} ${secret.slice(1)}`, [secret]) ?? ''
        for (const kept of [secret, form]) {
          for (let start = 0; start + 6 <= kept.length; start += 1) {
            const part = kept.slice(start, start + 6)
            if (!part.includes('…')) expect(shown).not.toContain(part)
          }
        }
      }),
    )
  })

  it('leaves no short secret', () => {
    expect(redact('the code A7 is used', ['A7'])).toBe('the code … is used')
  })

  it('ends for every secret', () => {
    for (const secret of ['…', '……', '*', ' ', '.', 'a'.repeat(255), '…'.repeat(255)]) {
      expect(redact(secret.repeat(3), [secret])).toBeTypeOf('string')
    }
  })
})

it('prints no secret with SALEPROOF_LOG=debug, one line for each attempt, on standard error alone', async () => {
  await using server = await serve((received, count) =>
    count === 1
      ? { status: 503, body: `<p>${received.form.purchase_code} ${received.headers.authorization}</p>` }
      : echo(received, count),
  )
  const program = `
    import { createClient } from '@saleproof/sdk'
    const client = createClient({ baseUrl: process.argv[1], apiKey: process.env.KEY })
    await client.checkPurchase(${JSON.stringify(code)})`
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@saleproof/source', '--no-warnings', '--input-type=module', '-e', program, server.url],
    { env: { PATH: process.env.PATH, KEY: apiKey, SALEPROOF_LOG: 'debug' }, cwd: import.meta.dirname },
  )
  expect(stdout).toBe('')
  const lines = stderr.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line.replace('saleproof ', '')))).toMatchObject([
    {
      event: 'attempt',
      operation: 'validatePurchase',
      error: { kind: 'server', response: { body: '<p>… Bearer …</p>' } },
    },
    { event: 'attempt', error: { kind: 'authentication' }, meta: { attempts: 2 } },
  ])
  expectNoSecret(stderr)
})

it('prints no code and nothing that is attached to the error of a store, with SALEPROOF_LOG=debug', async () => {
  vi.stubEnv('SALEPROOF_LOG', 'debug')
  const lines: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((line) => lines.push(line))
  await using server = await serve(() => ({ body: bodies.purchase }))
  const attached = { command: { name: 'auth', args: [apiKey] } }
  const broken = () => Promise.reject(Object.assign(new Error('READONLY replica'), attached))
  const store = sealStore({ get: broken, set: broken, delete: broken }, { pepper: 'p'.repeat(32) })
  const gate = createGate({ client: server.client(), onUnknown: 'deny', store })
  await gate.check(code)
  await gate.check('')
  const events = lines.map((line) => JSON.parse(line.replace('saleproof ', '')))
  expect(events).toContainEqual({
    event: 'store-error',
    error: { name: 'Error', message: 'READONLY replica' },
  })
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['attempt', 'miss', 'refused']))
  expectNoSecret(lines.join('\n'))
  vi.unstubAllEnvs()
  warn.mockRestore()
})

it('logs nothing without SALEPROOF_LOG', async () => {
  await using server = await serve(() => ({ status: 503, body: refusal() }))
  const warn = vi.spyOn(console, 'warn')
  await server.client().checkPurchase(code)
  expect(warn).not.toHaveBeenCalled()
  vi.stubEnv('SALEPROOF_LOG', 'debug')
  warn.mockImplementation(() => {})
  await server.client().checkPurchase(code)
  expect(warn).toHaveBeenCalledOnce()
  vi.unstubAllEnvs()
  warn.mockRestore()
})

it('redacts in time, however long the code that a buyer chose', () => {
  const body = JSON.stringify(refusal())
  for (const chosen of ['a'.repeat(255), 'abcdefghij'.repeat(25), '\u{1f511}'.repeat(255)]) {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 20; round += 1) {
      const start = performance.now()
      redact(body, [apiKey, chosen])
      least = Math.min(least, performance.now() - start)
    }
    // Along the code it took up to 2 ms.
    expect(least).toBeLessThan(0.2)
  }
})
