import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { type AttemptEvent, createClient } from '../src/index.ts'
import { apiKey, bodies, code } from './records.ts'
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
  for (const value of [client, client.checkPurchase, createGate({ client })]) expectNoSecret(tellAll(value))
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
    serverMessage: undefined,
    requestId: undefined,
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
    onAttempt(event) {
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
    locale: `${apiKey}\n`,
    shape: apiKey as 'base',
  }
  for (const name of ['baseUrl', 'locale', 'shape'] as const) {
    const options = { baseUrl: 'https://market.example.com', apiKey, [name]: wrong[name] }
    expect(() => createClient(options)).toThrow(expect.objectContaining({ kind: 'configuration' }))
    try {
      createClient(options)
    } catch (error) {
      expectNoSecret(tellAll(error))
    }
  }
})
