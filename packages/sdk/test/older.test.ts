import { describe, expect, it } from 'vitest'
import { apiKey, code, itemBase, itemExtended, purchaseBase, purchaseExtended } from './records.ts'
import { type Received, type Reply, serve } from './server.ts'

// Deployments that were written from the same short document before this API was.

const goodCode = code

/** Reads the key from the parameter alone, sends the purchase as `item`, no codes, Portuguese messages. */
const bareItem =
  (shape: 'base' | 'extended') =>
  ({ method, path, query, form, headers }: Received): Reply => {
    const parameters = method === 'POST' ? form : query
    if (headers.authorization || parameters.api_key !== apiKey) {
      return { status: 401, body: { status: 'error', msg: 'Invalid request' } }
    }
    if (path.endsWith('/all'))
      return { status: 404, body: { status: 'error', msg: 'Nenhum item encontrado' } }
    if (path.endsWith('/item')) {
      return { body: { status: 'success', item: shape === 'base' ? itemBase : itemExtended, server: 'old' } }
    }
    if (parameters.purchase_code !== goodCode) {
      return { status: 404, body: { status: 'error', msg: 'Código de compra inválido' } }
    }
    return {
      headers: { 'content-type': 'text/html; charset=UTF-8' },
      body: { status: 'success', item: shape === 'base' ? purchaseBase : purchaseExtended },
    }
  }

describe.each(['base', 'extended'] as const)('an older deployment in the %s shape', (shape) => {
  it('distinguishes valid, invalid and unknown without a requested shape', async () => {
    await using server = await serve(bareItem(shape))
    const client = server.client({ keyPlacement: 'parameter' })
    const check = await client.checkPurchase(goodCode, { itemId: 101 })
    expect(check).toMatchObject({
      outcome: 'valid',
      purchase: shape === 'base' ? purchaseBase : purchaseExtended,
    })
    expect(await client.checkPurchase(goodCode, { itemId: 5 })).toMatchObject({ reason: 'wrong_item' })
    expect(await client.checkPurchase('another')).toMatchObject({
      outcome: 'invalid',
      reason: 'purchase_not_found',
    })
    expect(await client.getItem(101)).toEqual(shape === 'base' ? itemBase : itemExtended)
    await expect(client.listItems()).rejects.toMatchObject({
      kind: 'not_found',
      code: undefined,
      status: 404,
    })
    const wrongKey = server.client({ keyPlacement: 'parameter', apiKey: 'wrong-key-0123456789' })
    expect(await wrongKey.checkPurchase(goodCode)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'authentication' },
    })
  })

  it('accepts additional fields, and an empty list in place of a map', async () => {
    const purchase = shape === 'base' ? purchaseBase : purchaseExtended
    await using server = await serve(() => ({
      body: {
        status: 'success',
        version: 3,
        data: { extra: 1, purchase: { ...purchase, buyer: 'x', item: { ...purchase.item, sku: 7 } } },
      },
    }))
    expect(await server.client().checkPurchase(goodCode)).toMatchObject({ outcome: 'valid' })
  })

  it('does not accept a purchase in the other shape', async () => {
    await using server = await serve(bareItem(shape))
    const other = shape === 'base' ? 'extended' : 'base'
    const client = server.client({ keyPlacement: 'parameter', shape: other })
    expect(await client.checkPurchase(goodCode)).toMatchObject({
      outcome: 'unknown',
      error: { kind: 'invalid_response' },
    })
  })
})

it('sends the key as a parameter when configured, and nowhere else', async () => {
  await using server = await serve(bareItem('base'))
  const client = server.client({ keyPlacement: 'parameter' })
  await client.getItem(101)
  await client.validatePurchase(goodCode)
  expect(server.received.map(({ query, form }) => [query, form])).toEqual([
    [{ item_id: '101', api_key: apiKey }, {}],
    [{}, { purchase_code: goodCode, api_key: apiKey }],
  ])
})

it('treats an old 200 with an error body as unknown: without a code only the status counts', async () => {
  await using server = await serve(() => ({ body: { status: 'error', msg: 'Invalid purchase code' } }))
  expect(await server.client().checkPurchase('nothing')).toMatchObject({ outcome: 'unknown' })
})
