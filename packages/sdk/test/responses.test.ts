import { describe, expect, it } from 'vitest'
import { createGate } from '../src/gate/index.ts'
import { createClient } from '../src/index.ts'
import { createMockApi, type ItemRecord } from '../src/testing/index.ts'
import { defaultRecords } from '../src/testing/records.ts'
import { bodies, code, itemBase, purchaseBase, refusal } from './records.ts'
import { type Reply, serve } from './server.ts'

const check = async (reply: Reply, options = {}) => {
  await using server = await serve(() => reply)
  return await server.client(options).checkPurchase(code)
}

describe('a 404 without X-Error-Code', () => {
  it.each(['Invalid purchase code', 'Código de compra inválido'])(
    'is invalid when it says %s',
    async (msg) => {
      expect(await check({ status: 404, body: refusal(msg) })).toMatchObject({
        outcome: 'invalid',
        reason: 'purchase_not_found',
      })
    },
  )

  it.each([
    'Not found',
    'Não encontrado',
    'Item Not Found',
    'No items found',
    'Invalid request',
    'invalid purchase code',
    'Invalid purchase code ',
    'Invalid purchase code: no route',
    '',
  ])('is unknown when it says %j', async (msg) => {
    expect(await check({ status: 404, body: refusal(msg) })).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'not_found', code: undefined },
    })
  })

  it('is invalid when it says one of `invalidMessages`', async () => {
    const options = { invalidMessages: ['Ungültiger Code', 'Code inconnu'] }
    for (const msg of [...options.invalidMessages, 'Invalid purchase code']) {
      expect(await check({ status: 404, body: refusal(msg) }, options)).toMatchObject({ outcome: 'invalid' })
    }
    expect(await check({ status: 404, body: refusal('Not found') }, options)).toMatchObject({
      outcome: 'unknown',
    })
    expect(await check({ status: 400, body: refusal('Code inconnu') }, options)).toMatchObject({
      outcome: 'unknown',
    })
    const headers = { 'x-error-code': 'route_not_found' }
    expect(await check({ status: 404, headers, body: refusal() }, options)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'route_not_found' },
    })
  })

  it('is unknown when it says a part of a message', async () => {
    const options = { invalidMessages: ['Not found: no such code'] }
    for (const msg of ['Not found', '', 'Invalid', 'code']) {
      expect(await check({ status: 404, body: refusal(msg) }, options)).toMatchObject({ outcome: 'unknown' })
    }
  })

  it('cannot be made unknown by a code that repeats the message', async () => {
    await using server = await serve(() => ({ status: 404, body: refusal() }))
    for (const sent of ['Invalid purchase code', 'Invalid', 'purchase', 'e', '"msg"']) {
      expect(await server.client().checkPurchase(sent)).toMatchObject({ outcome: 'invalid' })
    }
  })

  it('says nothing about an item', async () => {
    await using server = await serve(() => ({ status: 404, body: refusal() }))
    await expect(server.client().getItem(1)).rejects.toMatchObject({ kind: 'not_found', code: undefined })
  })

  it('of a wrong base path keeps the grace of a gate', async () => {
    let reply: Reply = { body: bodies.purchase }
    await using server = await serve(() => reply)
    const gate = createGate({ client: server.client(), ttlMs: 0, onUnknown: { allowCachedMs: 60_000 } })
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'api' })
    reply = { status: 404, body: refusal('Not found') }
    expect(await gate.check(code)).toMatchObject({ outcome: 'valid', source: 'grace' })
  })
})

it.each([201, 202, 203, 206, 207, 226])('is unknown after %i with a whole purchase', async (status) => {
  expect(await check({ status, body: bodies.purchase })).toMatchObject({
    outcome: 'unknown',
    error: { kind: 'invalid_response', code: undefined, status },
  })
})

describe('a body with a key twice', () => {
  const good = JSON.stringify(bodies.purchase)
  const purchase = JSON.stringify(purchaseBase)
  const twice: Record<string, string> = {
    status: good.replace('{', '{"status":"error",'),
    'status, first as success': good.replace('{', '{"status":"success",'),
    data: good.replace('"data"', '"data":{},"data"'),
    purchase: `{"status":"success","data":{"purchase":{"purchase_code":"CCCC"},"purchase":${purchase}}}`,
    purchase_code: good.replace('"purchase_code"', '"purchase_code":"CCCC","purchase_code"'),
    item: good.replace('"item"', '"item":{"id":7},"item"'),
    id: good.replace('"id"', '"id":7,"id"'),
    'an escaped name': good.replace('"item"', '"it\\u0065m":{"id":7},"item"'),
    'a name with space before its colon': good.replace('"id"', '"id" \n: 7,"id"'),
    'a name after a text with quotes': good.replace('"id"', '"x":"\\"a\\\\","id":7,"id"'),
  }

  it.each(Object.entries(twice))('is unknown: %s', async (_, body) => {
    expect(JSON.parse(body)).toMatchObject(JSON.parse(good))
    expect(await check({ body })).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'invalid_response' },
    })
  })

  it.each([
    ['one name in two objects', bodies.purchase],
    [
      'text that looks like a name',
      { ...bodies.purchase, notes: ['"id":', '":', ':', '\\', '"', '\\"id\\":'] },
    ],
    [
      'escapes',
      JSON.stringify({ ...bodies.purchase, x: 'a/b:c"é\u2028' })
        .replaceAll('/', '\\/')
        .replace('é', '\\u00e9'),
    ],
    ['white space', JSON.stringify(bodies.purchase, null, '\t')],
    ['a long text', { ...bodies.purchase, x: '\\"'.repeat(200_000) }],
  ])('is valid without: %s', async (_, body) => {
    expect(await check({ body })).toMatchObject({ outcome: 'valid' })
  })
})

it('rejects another item than the requested one', async () => {
  await using server = await serve(() => ({ body: { status: 'success', item: { ...itemBase, id: 999 } } }))
  await expect(server.client().getItem(101)).rejects.toMatchObject({
    kind: 'invalid_response',
    code: undefined,
    retryable: false,
  })
  expect(await server.client().getItem('999' as never)).toMatchObject({ id: 999 })
})

describe('the largest response', () => {
  const catalogue = (count: number): ItemRecord[] => {
    const [item] = defaultRecords.filter((record) => record.type === 'item')
    if (!item) throw new Error('no item')
    return Array.from({ length: count }, (_, index) => ({
      ...item,
      id: 1_000 + index,
      name: `Icon pack ${index} with 400 hand-drawn icons for web and print`,
      description: 'A description of four hundred characters tells what a buyer gets. '
        .repeat(7)
        .slice(0, 400),
      tags: ['icons', 'vector', 'web', 'print', 'interface', 'outline', 'filled', 'duotone'],
      demo_link: `https://market.example.com/items/${index}/demo`,
      media: {
        thumbnail: `https://cdn.example.com/${index}/thumbnail.png`,
        preview_image: `https://cdn.example.com/${index}/preview.png`,
        screenshots: [1, 2, 3, 4].map((shot) => `https://cdn.example.com/${index}/screenshot-${shot}.png`),
      },
    }))
  }

  it('lets 10,000 items pass', async () => {
    const mockApi = createMockApi({ records: [...defaultRecords, ...catalogue(9_999)] })
    let bytes = 0
    const fetch = async (url: string, init: RequestInit) => {
      const response = await mockApi.fetch(url, init)
      bytes = (await response.clone().arrayBuffer()).byteLength
      return response
    }
    const { baseUrl, apiKey } = mockApi
    const client = createClient({ baseUrl, apiKey, fetch, shape: 'extended' })
    expect(await client.listItems()).toHaveLength(10_000)
    // 12.3 MB: the limit of 64 MiB leaves room for longer texts.
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(bytes).toBeLessThan(67_108_864 / 2)
  })

  it('is 1 MiB for everything but lists', async () => {
    await using server = await serve(({ path }) => ({
      body: { ...(path.endsWith('/all') ? bodies.items : bodies.item), x: 'x'.repeat(1_048_576) },
    }))
    await expect(server.client().getItem(101)).rejects.toMatchObject({ code: 'too_large' })
    expect(await server.client().listItems()).toHaveLength(1)
  })
})
