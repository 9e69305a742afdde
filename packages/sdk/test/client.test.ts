import { describe, expect, expectTypeOf, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { identify } from '../src/identify.ts'
import { findSettings } from '../src/identity.ts'
import {
  type ClientOptions,
  checkPurchase,
  createClient,
  type Fetch,
  type ItemExtended,
  type Purchase,
  type PurchaseBase,
  type PurchaseCheck,
} from '../src/index.ts'
import {
  account,
  apiKey,
  bodies,
  code,
  itemBase,
  itemExtended,
  purchaseBase,
  purchaseExtended,
  refusal,
} from './records.ts'
import { type Reply, serve } from './server.ts'

const everything = ({ path }: { path: string }): Reply => {
  if (path.endsWith('/details')) return { body: bodies.account }
  if (path.endsWith('/all')) return { body: bodies.items }
  if (path.endsWith('/item')) return { body: bodies.item }
  return { body: bodies.purchase }
}

it('makes the four calls', async () => {
  await using server = await serve(everything)
  const client = server.client()
  expect(await client.getAccount()).toEqual(account)
  expect(await client.listItems()).toEqual([itemBase])
  expect(await client.getItem(101)).toEqual(itemBase)
  expect(await client.validatePurchase(code)).toEqual(purchaseBase)
  expect(server.received.map(({ method, path, query, form }) => ({ method, path, query, form }))).toEqual([
    { method: 'GET', path: '/api/account/details', query: {}, form: {} },
    { method: 'GET', path: '/api/items/all', query: {}, form: {} },
    { method: 'GET', path: '/api/items/item', query: { item_id: '101' }, form: {} },
    { method: 'POST', path: '/api/purchases/validation', query: {}, form: { purchase_code: code } },
  ])
  for (const { headers } of server.received) {
    expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}`, accept: 'application/json' })
  }
})

it('types a result by the shape of the client or of the call', async () => {
  await using server = await serve(({ query, form }) => {
    const extended = (query.shape ?? form.shape) === 'extended'
    if (form.purchase_code) return { body: extended ? bodies.purchaseExtended : bodies.purchase }
    return { body: { status: 'success', item: extended ? itemExtended : itemBase } }
  })
  const client = server.client({ shape: 'extended' })
  const item = await client.getItem(101)
  expectTypeOf(item).toEqualTypeOf<ItemExtended>()
  expect(item.version).toBe('1.4.2')
  const purchase = await client.validatePurchase(code, { shape: 'base' })
  expectTypeOf(purchase).toEqualTypeOf<PurchaseBase>()
  expect(purchase.price).toBe(19.99)
  const either = await server.client().validatePurchase(code)
  expectTypeOf(either).toEqualTypeOf<Purchase>()
  expect('price' in either ? either.price : either.item.version).toBe(19.99)
  const check = await client.checkPurchase(code)
  expect(check).toMatchObject({ outcome: 'valid', purchase: purchaseExtended })
})

it('throws an error with the code and the request id of the API', async () => {
  await using server = await serve(() => ({
    status: 404,
    headers: { 'x-error-code': 'item_not_found' },
    body: refusal('Item Not Found'),
  }))
  const { isSaleproofError } = await import('../src/index.ts')
  const error = await server
    .client()
    .getItem(5)
    .catch((thrown) => thrown)
  expect(isSaleproofError(error)).toBe(true)
  expect({ ...error, message: error.message }).toEqual({
    name: 'SaleproofError',
    kind: 'not_found',
    code: 'item_not_found',
    status: 404,
    requestId: server.received[0]?.headers['x-request-id'],
    retryable: false,
    retryAfterMs: undefined,
    message: 'not_found 404 item_not_found',
  })
  expect(error).toBeInstanceOf(Error)
  expect(error.stack).toContain('client.test.ts')
})

it('checks a purchase without a client', async () => {
  await using server = await serve(({ form }) =>
    form.purchase_code === code ? { body: bodies.purchase } : { status: 404, body: refusal() },
  )
  const options = { baseUrl: server.url, apiKey, maxRetries: 0 }
  const check = await checkPurchase(options, code, { itemId: 101, shape: 'base' })
  expectTypeOf(check).toEqualTypeOf<PurchaseCheck<'base'>>()
  expect(check).toMatchObject({ outcome: 'valid', purchase: { price: 19.99 } })
  expect(server.received).toHaveLength(1)
  expect(await checkPurchase(options, code, { itemId: 102 })).toMatchObject({ reason: 'wrong_item' })
  expect(await checkPurchase(options, 'none')).toMatchObject({ reason: 'purchase_not_found' })
  const configuration = { kind: 'configuration' }
  await expect(checkPurchase({ ...options, baseUrl: '' }, code)).rejects.toMatchObject(configuration)
  await expect(checkPurchase(options, code, { timeoutMs: 0 })).rejects.toMatchObject(configuration)
  const signal = AbortSignal.abort()
  await expect(checkPurchase(options, code, { signal })).rejects.toMatchObject({ kind: 'aborted' })
})

it('limits the retries of a check without a client by its options', async () => {
  await using server = await serve(() => ({ status: 503, body: refusal() }))
  const options = { baseUrl: server.url, apiKey, maxRetries: 9, totalTimeoutMs: 60_000 }
  await Promise.all(Array.from({ length: 5 }, () => checkPurchase(options, code)))
  expect(server.received).toHaveLength(5 + 10)
  options.maxRetries = 0
  await checkPurchase({ ...options }, code)
  expect(server.received).toHaveLength(5 + 10 + 1)
})

describe('the identity of a client', () => {
  const options = { baseUrl: 'https://market.example.com', apiKey }
  const identityOf = (changes: Partial<ClientOptions>) =>
    identify(findSettings(createClient({ ...options, ...changes }))!)

  it('follows base URL, key and shape, and nothing else', async () => {
    const plain = await identityOf({})
    expect(await identityOf({ baseUrl: 'https://market.example.com/' })).toBe(plain)
    expect(await identityOf({ apiKey: ` ${apiKey}\n`, timeoutMs: 9 })).toBe(plain)
    expect(await identityOf({ apiKey: async () => apiKey })).toBe(plain)
    const others = [
      { baseUrl: 'https://market.example.com/shop' },
      { apiKey: `${apiKey}x` },
      { shape: 'base' as const },
    ]
    const all = await Promise.all([{}, ...others].map(identityOf))
    expect(new Set(all).size).toBe(all.length)
  })

  it('keeps to the last usable key of a function', async () => {
    await using server = await serve(() => ({ body: bodies.purchase }))
    const keys = ['', apiKey, '']
    const client = server.client({ apiKey: () => keys.shift() ?? '' })
    expect(await identify(findSettings(client)!)).toBeUndefined()
    expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'valid' })
    expect(await client.checkPurchase(code)).toMatchObject({ outcome: 'unknown' })
    expect(await identify(findSettings(client)!)).toBe(
      await identify(findSettings(server.client({ apiKey }))!),
    )
  })
})

it('checks a purchase with three outcomes', async () => {
  const codes: Record<string, Reply> = {
    good: { body: { status: 'success', data: { purchase: { ...purchaseBase, purchase_code: 'good' } } } },
    none: { status: 404, headers: { 'x-error-code': 'purchase_not_found' }, body: refusal() },
    gone: { status: 404, headers: { 'x-error-code': 'purchase_not_active' }, body: refusal() },
    down: { status: 503, body: refusal('Service unavailable') },
  }
  await using server = await serve(({ form }) => codes[form.purchase_code!]!)
  const client = server.client()
  expect(await client.checkPurchase('good')).toMatchObject({ outcome: 'valid', purchase: { price: 19.99 } })
  expect(await client.checkPurchase('good', { itemId: 101 })).toMatchObject({ outcome: 'valid' })
  expect(await client.checkPurchase('good', { itemId: 102 })).toMatchObject({
    outcome: 'invalid',
    reason: 'wrong_item',
  })
  expect(await client.checkPurchase('none')).toMatchObject({
    outcome: 'invalid',
    reason: 'purchase_not_found',
  })
  expect(await client.checkPurchase('gone')).toMatchObject({
    outcome: 'invalid',
    reason: 'purchase_not_active',
  })
  expect(await client.checkPurchase('down')).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'server', status: 503 },
  })
})

it('rejects a malformed code without a request', async () => {
  await using server = await serve(everything)
  const client = server.client()
  const impossible: unknown[] = [
    '',
    ' \n',
    'a\u0000b',
    'a\tb',
    'a\u0085b',
    '\ud800',
    'x'.repeat(256),
    7,
    null,
    undefined,
    ['a'],
  ]
  for (const value of impossible) {
    expect(await client.checkPurchase(value as string)).toMatchObject({
      outcome: 'invalid',
      reason: 'malformed_code',
    })
  }
  await expect(client.validatePurchase('')).rejects.toMatchObject({
    kind: 'rejected',
    code: 'malformed_code',
  })
  expect(server.received).toEqual([])
})

it('sends the one form of a code', async () => {
  const sent = 'Ação-1&a=b+c%20\u{1f511}'
  await using server = await serve(({ form }) => ({
    body: { status: 'success', data: { purchase: { ...purchaseBase, purchase_code: form.purchase_code } } },
  }))
  expect(await server.client().checkPurchase(`  ${sent.replace('-', '\u2013')}\u200b\r\n`)).toMatchObject({
    outcome: 'valid',
  })
  expect(server.received[0]!.form).toEqual({ purchase_code: sent })
  expect(await server.client().checkPurchase('\u{1f511}'.repeat(255))).toMatchObject({ outcome: 'valid' })
})

it('accepts the purchase of a pasted code, and rejects one of another code or letter case', async () => {
  await using server = await serve(() => ({ body: bodies.purchase }))
  const client = server.client()
  expect(await client.checkPurchase('AAAA\u20131111\u2014BBBB\u22122222\u200b')).toMatchObject({
    outcome: 'valid',
  })
  for (const other of ['AAAA-1111-BBBB-2223', 'aaaa-1111-bbbb-2222'])
    expect(await client.checkPurchase(other)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'invalid_response', code: undefined },
    })
})

it('accepts an item id, and rejects an undefined one', async () => {
  await using server = await serve(everything)
  const client = server.client()
  for (const itemId of [undefined, null, Number.NaN, 0, -1, 1.5, '', 'undefined']) {
    await expect(client.checkPurchase(code, { itemId: itemId as number })).rejects.toMatchObject({
      kind: 'configuration',
    })
  }
  expect(await client.checkPurchase(code, { itemId: '101' as never })).toMatchObject({ outcome: 'valid' })
  expect(server.received).toHaveLength(1)
})

it('ends an attempt at its timeout and rejects at once when the caller aborts', async () => {
  await using server = await serve(() => 'hang')
  const client = server.client({ timeoutMs: 60 })
  const start = performance.now()
  expect(await client.checkPurchase(code)).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'timeout', retryable: true },
  })
  expect(performance.now() - start).toBeLessThan(10_000)
  const before = server.received.length
  const controller = new AbortController()
  const call = client.checkPurchase(code, { signal: controller.signal, timeoutMs: 5_000 })
  const aborted = expect(call).rejects.toMatchObject({ kind: 'aborted', retryable: false })
  await expect.poll(() => server.received.length).toBe(before + 1)
  controller.abort(new Error('mine'))
  await aborted
  await expect(client.getItem(1, { signal: controller.signal })).rejects.toMatchObject({ kind: 'aborted' })
  expect(server.received).toHaveLength(before + 1)
})

describe('in Next.js', () => {
  const options = { baseUrl: 'https://market.example.com', apiKey }

  it('asks that no response is kept', async () => {
    const caches: unknown[] = []
    const fetch: Fetch = async (_url, init) => {
      caches.push(init.cache)
      return Response.json(bodies.purchase)
    }
    const client = createClient({ ...options, fetch })
    await client.checkPurchase(code)
    await client.validatePurchase(code)
    expect(caches).toEqual(['no-store', 'no-store'])
  })

  it('lets the error that ends the rendering of a page pass: no retry, no outage', async () => {
    const thrown = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' })
    let renders = true
    let calls = 0
    const fetch: Fetch = async () => {
      calls += 1
      if (renders) throw thrown
      return Response.json(bodies.purchase)
    }
    const client = createClient({ ...options, fetch })
    const gate = createGate({ client, onUnknown: 'deny' })
    await expect(client.checkPurchase(code)).rejects.toBe(thrown)
    await expect(client.validatePurchase(code)).rejects.toBe(thrown)
    await expect(gate.check(code)).rejects.toBe(thrown)
    expect(calls).toBe(3)
    renders = false
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
  })
})
